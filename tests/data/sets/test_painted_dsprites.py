import numpy as np
import pytest
import tensorflow as tf
from painted_checks import SEED, draw_points, run_painted_test, white_sprites
from PIL import Image
from scipy import stats

from disentangle_tf.data import ColorDSprites, DSprites, NoisyDSprites, ScreamDSprites
from disentangle_tf.data.sets.painted_dsprites import PaintedDSprites, painting_file
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_uniform


class GreyDSprites(PaintedDSprites):
  """Sprites that each have one shade of grey."""

  name = "grey_dsprites"

  def paint(self, sprites, seed):
    shade = random_uniform([tf.shape(sprites)[0], 1, 1, 1], seed)
    return tf.repeat(sprites * shade, 3, axis=-1)


class WhiteDSprites(PaintedDSprites):
  name = "white_dsprites"

  def paint(self, sprites, seed):
    return tf.repeat(sprites, 3, axis=-1)


def test_sprites_are_painted_by_the_subclass():
  data = GreyDSprites()
  factors = draw_points(data, 5)
  shade = random_uniform([5, 1, 1, 1], SEED)
  expected = np.repeat(white_sprites(factors) * shade, 3, axis=-1)
  np.testing.assert_allclose(data.observe(factors, SEED), expected, atol=1e-6)


def test_standardisation_is_measured_from_4096_images():
  """The constants of dSprites are not used, although the images are equal."""
  data = WhiteDSprites()
  rng = np.random.default_rng(0)
  points = np.concatenate([data.factors.draw(1024, rng) for _ in range(4)])
  images = white_sprites(points).reshape(4096, -1).astype(np.float64)
  mean, std = data.standardisation()
  assert mean == pytest.approx([images.mean()] * 3)
  assert std == pytest.approx([images.std(axis=1, ddof=1).mean()] * 3)


def test_a_painter_is_needed():
  with pytest.raises(TypeError, match="paint"):
    PaintedDSprites()


def test_keeps_the_promises_of_a_painted_set():
  run_painted_test(ColorDSprites())


def test_each_channel_is_scaled_uniformly():
  data = ColorDSprites()
  factors = draw_points(data, 500)
  images = data.observe(factors, SEED).numpy()
  colours = images.max(axis=(1, 2))
  expected = white_sprites(factors) * colours[:, None, None]
  np.testing.assert_allclose(images, expected, atol=1e-6)
  assert stats.kstest(colours.ravel(), stats.uniform(0.5, 0.5).cdf).pvalue > 1e-3


def test_standardisation_is_three_quarters_of_white():
  (plain_mean,), (plain_std,) = DSprites().standardisation()
  mean, std = ColorDSprites().standardisation()
  np.testing.assert_allclose(mean, [0.75 * plain_mean] * 3, rtol=0.05)
  np.testing.assert_allclose(std, [0.75 * plain_std] * 3, rtol=0.05)


def test_noisy_dsprites_keeps_the_promises_of_a_painted_set():
  run_painted_test(NoisyDSprites())


def test_white_sprites_on_uniform_noise():
  data = NoisyDSprites()
  factors = draw_points(data, 20)
  sprite = white_sprites(factors)[..., 0] > 0
  images = data.observe(factors, SEED).numpy()
  assert (images[sprite] == 1).all()
  background = images[~sprite].ravel()[:20_000]
  assert stats.kstest(background, "uniform").pvalue > 1e-3


def test_the_mean_is_half_way_to_white():
  (plain_mean,), _ = DSprites().standardisation()
  mean, _ = NoisyDSprites().standardisation()
  np.testing.assert_allclose(mean, [0.5 + 0.5 * plain_mean] * 3, rtol=0.01)


def _scream(tmp_path):
  pixels = np.random.default_rng(0).integers(256, size=(200, 150, 3), dtype=np.uint8)
  Image.fromarray(pixels).save(tmp_path / "scream.png")
  return ScreamDSprites(painting=str(tmp_path / "scream.png"))


def test_scream_dsprites_keeps_the_promises_of_a_painted_set(tmp_path):
  run_painted_test(_scream(tmp_path))


def test_scream_is_a_tinted_patch_with_the_sprite_inverted(tmp_path):
  data = _scream(tmp_path)
  factors = draw_points(data, 6)
  sprite = white_sprites(factors) > 0
  images = data.observe(factors, SEED).numpy()
  backgrounds = np.where(sprite, 1 - images, images)
  painting = data._thumbnail
  for background in backgrounds:
    # Differences between neighbours do not depend on the tint, so they find the patch.
    edges = np.diff(2 * background, axis=0)
    places = [
      (y, x)
      for y in range(painting.shape[0] - 63)
      for x in range(painting.shape[1] - 63)
      if np.allclose(np.diff(painting[y : y + 2, x], axis=0)[0], edges[0, 0], atol=1e-5)
    ]
    assert any(
      np.allclose(np.diff(painting[y : y + 64, x : x + 64], axis=0), edges, atol=1e-5)
      for y, x in places
    )


def test_scream_takes_the_painting_within_the_usual_size(golden_folder):
  painting = ScreamDSprites(painting=str(golden_folder / "the_scream.jpg"))._thumbnail
  assert painting.shape == (274, 215, 3)  # of 1528 by 1200 pixels
  red, green, blue = painting[:40].mean(axis=(0, 1))  # the sky
  assert red > green + 0.2 > blue + 0.2
  coat = painting[220:260, 95:125]
  assert coat.mean() < 0.3


def test_scream_without_its_painting(tmp_path):
  with pytest.raises(UserError, match="painting"):
    ScreamDSprites(painting=str(tmp_path / "none.jpg"))
  (tmp_path / "text.jpg").write_text("x")
  with pytest.raises(UserError, match="cannot be read"):
    ScreamDSprites(painting=str(tmp_path / "text.jpg"))


def test_the_painting_is_looked_for_in_the_data_folder(tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  assert painting_file() == tmp_path / "the_scream.jpg"
  Image.new("RGB", (90, 80), (255, 0, 0)).save(tmp_path / "the_scream.jpg")
  found = ScreamDSprites()._thumbnail
  assert ScreamDSprites().files == [str(painting_file())]
  assert found.shape == (80, 90, 3)
  np.testing.assert_allclose(found, np.broadcast_to([1, 0, 0], (80, 90, 3)), atol=0.02)


def test_a_painting_that_is_too_narrow(tmp_path):
  Image.new("RGB", (900, 63)).save(tmp_path / "narrow.png")
  with pytest.raises(UserError, match="too narrow"):
    ScreamDSprites(painting=str(tmp_path / "narrow.png"))

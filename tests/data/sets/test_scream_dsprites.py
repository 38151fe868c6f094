import numpy as np
import pytest
from painted_checks import SEED, draw_points, run_painted_test, white_sprites
from PIL import Image

from disentangle_tf.data import ScreamDSprites
from disentangle_tf.data.sets.scream_dsprites import painting_file
from disentangle_tf.errors import UserError


def _scream(tmp_path):
  pixels = np.random.default_rng(0).integers(256, size=(200, 150, 3), dtype=np.uint8)
  Image.fromarray(pixels).save(tmp_path / "scream.png")
  return ScreamDSprites(painting=str(tmp_path / "scream.png"))


def test_keeps_the_promises_of_a_painted_set(tmp_path):
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

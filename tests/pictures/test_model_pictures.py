import numpy as np
import pytest
from figure_checks import (
  assert_shows_scale,
  column_labels,
  drawn_matrix,
  read_gif,
  read_png,
  row_labels,
)
from manipulated_sets import write_manipulated
from shared_checks import tiny_data, tiny_model

from disentangle_tf import losses, perceived, plots
from disentangle_tf.data import FactorTable, Manipulated
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.latent_use import most_used_first
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.pictures import latent_traversal, traversal_values, visualize
from disentangle_tf.pictures.model_pictures import ModelPictures, changed_images
from disentangle_tf.scoring import CodesTable

LEVELS = [
  *("ground truth", "observations", "latent means", "posterior KL", "reconstructions")
]


@pytest.fixture(scope="module")
def model():
  return LiveModel(tiny_model())


def _table(model, data):
  reconstruct = model.reconstruct if model.can_reconstruct else None
  return CodesTable.of_model(model.encode, data, reconstruct=reconstruct)


def _draw(model, output_dir, data=None, **options):
  table = None if data is None else _table(model, data)
  return visualize(
    model=model, data=data, table=table, output_dir=output_dir, **options
  )


@pytest.fixture(scope="module")
def drawn(model):
  """({name: picture}, the points that were seen)."""
  data = tiny_data()
  options = {"loss": losses.MSE(), "num_traversals": 3}
  pictures, left_out = ModelPictures(
    model, data, _table(model, data), rng=np.random.default_rng(0), **options
  ).all()
  assert not left_out
  return pictures, data.factors.draw(2_000, np.random.default_rng(0))


def test_every_picture_is_a_file(model, tmp_path):
  written = _draw(model, tmp_path / "a", tiny_data(), num_traversals=2)
  assert set(written) == {
    "reconstructions.png",
    "latent_traversals_prior.png",
    "latent_traversals_fitted.png",
    "latent_traversals_range.png",
    "latent_traversals.gif",
    "latent_plane.png",
    "samples.png",
    "factors_and_latents.png",
    "distances.png",
  }
  for name in ("factors_and_latents.png", "distances.png"):
    assert_shows_scale(tmp_path / "a" / name)
  # Images of 8x8 pixels, each pixel 8 wide, between lines of 2.
  assert read_png(tmp_path / "a" / "samples.png").shape == (6 * 66 + 2, 9 * 66 + 2, 3)
  assert len(read_gif(tmp_path / "a" / "latent_traversals.gif")) == 2 * 24 - 2
  _draw(model, tmp_path / "b", tiny_data(), num_traversals=2)
  for name in ("samples.png", "latent_traversals_fitted.png"):
    ours, theirs = (read_png(tmp_path / folder / name) for folder in "ab")
    np.testing.assert_array_equal(ours, theirs)


def test_the_reconstructions_are_the_models(model, tmp_path):
  _draw(model, tmp_path / "a", tiny_data(), num_traversals=1)
  picture = read_png(tmp_path / "a" / "reconstructions.png")
  points = tiny_data().factors.draw(2_000, np.random.default_rng(0))
  images = tiny_data().observe(points[:9]).numpy()
  expected = model.reconstruct(images)
  # Images of 8x8 pixels, each pixel 8 wide, lines of 2; reconstructions are below.
  for row, shown in enumerate((images, expected)):
    top = 2 + 66 * row
    for column, image in enumerate(shown):
      left = 2 + 66 * column
      found = picture[top : top + 64, left : left + 64][::8, ::8]
      np.testing.assert_allclose(found[..., :2], image, atol=1 / 254)


def test_traversals_are_those_of_the_most_used_latents(drawn, model):
  pictures, points = drawn
  codes, log_variances = model.encode(tiny_data().observe(points).numpy())
  order = most_used_first(codes, log_variances)
  for kind in ("prior", "fitted", "range"):
    (axis,) = pictures[f"latent_traversals_{kind}"].axes
    assert row_labels(axis) == [f"latent {latent}" for latent in order]
    values = traversal_values(kind, codes)
    images = latent_traversal(model.decode, codes[0], values=values, latents=order)
    expected = plots.image_grid(images, padding=1)
    np.testing.assert_allclose(drawn_matrix(axis), expected, atol=1e-5)
  frames = read_gif(pictures["latent_traversals"])
  values = traversal_values("prior", codes, 24)
  moving = latent_traversal(model.decode, codes[0], values=values, latents=order)
  expected = plots.image_grid(moving[None, :, 0], scale=8)
  np.testing.assert_allclose(frames[0], expected, atol=0.1)  # of 256 colours


def test_heat_maps_name_factors_and_latents(drawn):
  figure = drawn[0]["factors_and_latents"]
  titles = [axis.get_title() for axis in figure.axes]
  assert titles == ["mutual information", "correlation", "importance", "accuracy"]
  for axis in figure.axes:
    assert drawn_matrix(axis).shape == (3, 4)
    assert column_labels(axis) == list(tiny_data().factors.names)


def test_distances_have_a_row_per_factor_and_a_column_per_level(drawn, model):
  axes = drawn[0]["distances"].axes
  names = tiny_data().factors.names
  assert [axis.get_title() for axis in axes[:5]] == LEVELS
  assert [axis.get_ylabel() for axis in axes[::5]] == list(names)
  rng = np.random.default_rng(0)
  tiny_data().factors.draw(2_000, rng)  # as the earlier pictures do
  expected = perceived.level_distances(
    tiny_data(), losses.MSE(), model, num_traversals=3, rng=rng
  )
  for row, levels in enumerate(expected.values()):
    for axis, found in zip(axes[5 * row :], levels.values(), strict=False):
      np.testing.assert_allclose(
        drawn_matrix(axis), found.mean(axis=0), rtol=1e-3, atol=1e-6
      )


def test_samples_fill_the_grid(drawn):
  samples = drawn[0]["samples"]
  assert samples.shape == (6, 9, 8, 8, 2)
  assert len(np.unique(samples.reshape(54, -1), axis=0)) == 54


def test_without_a_data_set_the_decoder_is_shown(model, tmp_path, caplog):
  written = _draw(model, tmp_path / "a")
  assert set(written) == {
    "samples.png",
    "latent_traversals_prior.png",
    "latent_traversals.gif",
    "latent_plane.png",
  }
  told = [line for line in caplog.messages if "not drawn" in line]
  names = ("reconstructions", "factors_and_latents", "distances")
  assert told == [
    f"not drawn: {name}: no data set is given: set visualize.data" for name in names
  ]


class Encoder(LiveModel):
  """An encoder alone."""

  can_decode = can_reconstruct = False


def test_an_encoder_alone(tmp_path, caplog):
  encoder = Encoder(tiny_model())
  written = _draw(encoder, tmp_path / "a", tiny_data(), num_traversals=1)
  assert set(written) == {"factors_and_latents.png", "distances.png"}
  told = caplog.text
  assert "not drawn: reconstructions: the model has no decoder" in told
  assert "not drawn: samples: the model does not decode codes" in told
  with pytest.raises(UserError, match="set visualize.data"):
    _draw(encoder, tmp_path / "b")
  assert not (tmp_path / "b").exists()


def test_a_model_that_misbehaves_ends_it(tmp_path):
  class Misbehaving(LiveModel):
    def decode(self, codes):
      raise ModelError("decode failed")

  with pytest.raises(ModelError, match="decode failed"):
    _draw(Misbehaving(tiny_model()), tmp_path / "a", tiny_data())
  assert not (tmp_path / "a").exists()


def test_what_a_set_does_not_allow_is_logged(model, tmp_path, caplog):
  whole = tiny_data()
  points = whole.factors.to_factors(np.arange(len(whole)))
  points = points[points[:, 0] == points[:, 1]]  # x_R and y_R always change together
  some = FactorTable(whole.observe(points).numpy(), points, names=whole.factors.names)
  written = _draw(model, tmp_path / "a", some, num_traversals=1)
  assert "factors_and_latents.png" in written and "distances.png" not in written
  told = "not drawn: distances: no two images differ in x_R alone"
  assert told in caplog.text
  unlabelled = tiny_data()
  unlabelled.has_factors = False
  written = _draw(model, tmp_path / "b", unlabelled, num_traversals=1)
  assert "reconstructions.png" in written and "distances.png" not in written
  told = caplog.text
  assert "not drawn: factors_and_latents: xysquares has no ground-truth" in told


def test_very_many_images_are_not_compared(model, tmp_path, caplog):
  written = _draw(model, tmp_path / "a", tiny_data(), num_traversals=2**20)
  assert "distances.png" not in written
  told = "not drawn: distances: 4,194,304 images of one factor are too many"
  assert told in caplog.text


def test_sets_with_holes_have_distances(model, tmp_path):
  whole = tiny_data()
  points = whole.factors.to_factors(np.arange(len(whole)))
  points = points[points.sum(axis=1) % 3 > 0]
  some = FactorTable(whole.observe(points).numpy(), points)
  written = _draw(model, tmp_path / "a", some, num_traversals=2)
  assert "distances.png" in written
  assert_shows_scale(tmp_path / "a" / "distances.png")


@pytest.mark.parametrize(
  ("name", "value"), [("num_traversals", 0), ("seed", -1), ("loss", 5), ("data", 5)]
)
def test_nonsense_is_named(name, value, model, tmp_path):
  given = {"model": model, "output_dir": tmp_path / "a", name: value}
  with pytest.raises(UserError, match=rf"visualize\.{name} is "):
    visualize(**given)
  assert not (tmp_path / "a").exists()


def test_of_a_manipulated_set_the_change_is_shown(tmp_path):
  hard = Manipulated.from_folder(write_manipulated(tmp_path / "hard"))
  found = changed_images(hard, np.random.default_rng(0))["original_change_sum"]
  assert found.shape == (3, 9, 16, 16, 1)
  points = hard.factors.draw(9, np.random.default_rng(0))
  np.testing.assert_array_equal(found[0], hard.data.observe(points))
  np.testing.assert_array_equal(found[2], hard.observe(points))
  assert changed_images(hard.data, np.random.default_rng(0)) == {}
  assert changed_images(None, np.random.default_rng(0)) == {}

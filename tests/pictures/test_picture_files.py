import numpy as np
import pytest
from figure_checks import assert_shows, read_gif, read_png
from matplotlib import figure as mpl_figure
from shared_checks import tiny_data

from disentangle_tf import plots
from disentangle_tf.data import FactorTable, Pinwheel
from disentangle_tf.errors import UserError
from disentangle_tf.pictures import (
  check_drawable,
  has_images,
  most_rows,
  write_pictures,
)


@pytest.mark.parametrize(
  ("shape", "columns", "rows"),
  [
    ((64, 64, 3), 9, 32),  # the largest number
    ((256, 256, 3), 9, 2),  # 2**22 numbers in all
    ((128, 128, 1), 16, 16),
    ((2_000, 2_000, 3), 9, 1),  # at least one
  ],
)
def test_large_images_have_fewer_rows(shape, columns, rows):
  assert most_rows(shape, columns) == rows


def test_images_are_drawn_and_points_are_not():
  assert has_images(tiny_data()) and not has_images(Pinwheel())
  check_drawable(tiny_data(), distances=True)
  with pytest.raises(UserError, match="pinwheel has no images"):
    check_drawable(Pinwheel())


@pytest.mark.parametrize("values", [256, 257])
def test_distances_between_very_many_values_are_not_drawn(values):
  images = np.zeros((values, 2, 2, 1), np.float32)
  data = FactorTable(images, np.arange(values)[:, None], names=["time"])
  check_drawable(data)
  if values == 256:
    check_drawable(data, distances=True)
    return
  with pytest.raises(UserError, match="time has 257 values, more than 256"):
    check_drawable(data, distances=True)


def test_each_kind_is_a_file_of_its_kind(tmp_path):
  images = np.random.default_rng(0).random((1, 2, 16, 16, 3))
  figure = mpl_figure.Figure(facecolor="red", edgecolor="red")
  figure.text(0.5, 0.5, "here")
  moving = plots.traversals_to_gif(images)
  pictures = [("a", moving), ("b", images), ("a", figure)]
  assert write_pictures(tmp_path, pictures) == ["a.gif", "b.png", "a.png"]
  assert {path.name for path in tmp_path.iterdir()} == {
    *("a.gif", "a.png", "a.svg", "b.png")
  }
  assert len(read_gif(tmp_path / "a.gif")) == 2
  assert_shows(tmp_path / "a.png", [(1, 0, 0), (0, 0, 0)])
  # Images of 16 pixels, each pixel 4 wide, lines of 2.
  picture = read_png(tmp_path / "b.png")
  assert picture.shape == (2 + 64 + 2, 2 * (2 + 64) + 2, 3)
  shown = picture[2:66, 68:132][::4, ::4]
  np.testing.assert_allclose(shown, images[0, 1], atol=1 / 254)


def test_large_images_stay_as_they_are(tmp_path):
  write_pictures(tmp_path, [("a", np.zeros((1, 1, 100, 90, 1)))])
  assert read_png(tmp_path / "a.png").shape == (104, 94, 3)

from xml.etree import ElementTree

import numpy as np
from figure_checks import assert_shows, read_gif, read_png
from matplotlib import figure as mpl_figure

from disentangle_tf import plots


def test_png_keeps_the_pixels():
  picture = np.random.default_rng(0).random((6, 7, 3))
  again = read_png(plots.picture_to_png(picture))
  np.testing.assert_allclose(again, picture, atol=1 / 254)


def _red_square():
  figure = mpl_figure.Figure(figsize=(2, 1))
  axis = figure.add_axes((0, 0, 1, 1))
  axis.axvspan(0, 1, color="red")
  axis.text(0.5, 0.5, "here")
  return figure


def test_figures_become_pixels():
  picture = read_png(plots.figure_to_png(_red_square(), dpi=100))
  assert picture.shape == (100, 200, 3)
  np.testing.assert_allclose(picture[20, 20], [1, 0, 0])


def test_figures_are_saved_for_the_screen_and_for_print(tmp_path):
  plots.save_figure(_red_square(), tmp_path / "square.of_1")
  names = {path.name for path in tmp_path.iterdir()}
  assert names == {"square.of_1.png", "square.of_1.svg"}
  assert_shows(tmp_path / "square.of_1.png", [(1, 0, 0), (0, 0, 0)])
  root = ElementTree.parse(tmp_path / "square.of_1.svg").getroot()
  assert root.tag.endswith("svg")
  assert "#ff0000" in (tmp_path / "square.of_1.svg").read_text()


def test_a_gif_moves_there_and_back():
  frames = np.linspace(0, 1, 4)[:, None, None, None] * np.ones((4, 5, 6, 3))
  shown = read_gif(plots.pictures_to_gif(frames))
  assert shown.shape == (6, 5, 6, 3)
  levels = 255 * shown[:, 0, 0, 0]
  np.testing.assert_allclose(levels, [0, 85, 170, 255, 170, 85])


def test_traversals_move_side_by_side():
  images = np.zeros((2, 3, 64, 64, 1))
  images[0, 1] = images[1, 2] = 1.0
  frames = read_gif(plots.traversals_to_gif(images))
  assert frames.shape == (4, 64 + 2, 2 * 65 + 1, 3)
  left, right = frames[:, 30, 30, 0], frames[:, 30, 65 + 30, 0]
  assert left.tolist() == [0, 1, 0, 1] and right.tolist() == [0, 0, 1, 0]


def test_small_images_are_enlarged():
  assert read_gif(plots.traversals_to_gif(np.zeros((1, 2, 8, 8, 1)))).shape[1] == 66

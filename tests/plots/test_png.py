from xml.etree import ElementTree

import numpy as np
from figure_checks import assert_shows, read_png
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

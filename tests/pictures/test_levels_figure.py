import numpy as np
from figure_checks import assert_shows_scale, drawn_matrix

from disentangle_tf import plots
from disentangle_tf.pictures import levels_figure

STEPS = np.abs(np.arange(3)[:, None] - np.arange(3)).astype(float)


def test_means_in_rows_and_columns():
  holes = np.where(STEPS == 2, np.nan, STEPS)
  levels = {
    "ground truth": np.stack([STEPS, 3 * STEPS]),
    "codes": np.stack([holes] * 2),
  }
  figure = levels_figure({"x": levels, "y": levels})
  assert [axis.get_title() for axis in figure.axes] == ["ground truth", "codes", "", ""]
  assert [axis.get_ylabel() for axis in figure.axes] == ["x", "", "y", ""]
  for row in (0, 2):
    np.testing.assert_array_equal(drawn_matrix(figure.axes[row]), 2 * STEPS)
    np.testing.assert_array_equal(drawn_matrix(figure.axes[row + 1]), holes)
  assert_shows_scale(plots.figure_to_png(figure))


def test_what_one_traversal_lacks_another_tells():
  holes = np.where(STEPS == 2, np.nan, STEPS)
  figure = levels_figure({"x": {"codes": np.stack([holes, STEPS])}})
  np.testing.assert_array_equal(drawn_matrix(figure.axes[0]), STEPS)

import numpy as np

from disentangle_tf.studies.analyses import Curve, MatrixPanel


def test_models_of_all_points():
  assert Curve(np.arange(2.0), np.ones(2), np.array([3, 4])).n == 7


def test_empty_cells_are_counted_and_do_not_count_for_n():
  values = np.ma.masked_invalid([[1.0, np.nan], [0.5, 1.0]])
  panel = MatrixPanel(("a", "b"), ("a", "b"), values, np.array([[9, 2], [7, 8]]))
  assert panel.num_empty == 1 and panel.n == (7, 9)
  empty = MatrixPanel(("a",), ("a",), np.ma.masked_invalid([[np.nan]]), np.array([[3]]))
  assert empty.num_empty == 1 and empty.n == (0, 0)

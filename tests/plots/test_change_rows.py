import numpy as np

from disentangle_tf import plots


def test_grey_is_no_change_and_white_is_epsilon():
  images = np.full((4, 2, 2, 1), 0.5)
  change = np.array([0.0, 0.1, -0.1, 0.05]).reshape(4, 1, 1, 1)
  original, middle, last = plots.change_rows(images, images + change, 0.1)
  np.testing.assert_array_equal(original, images)
  np.testing.assert_allclose(middle[:, 0, 0, 0], [0.5, 1.0, 0.0, 0.75], atol=1e-12)
  np.testing.assert_array_equal(last, images + change)


def test_rounding_does_not_leave_the_range():
  images = np.zeros((1, 1, 1, 1), np.float32)
  rows = plots.change_rows(images, images + np.float32(0.1), 0.0999999)
  assert rows.max() == 1.0

import numpy as np

from disentangle_tf import plots


def test_traversals_name_their_factors():
  images = np.random.default_rng(0).random((2, 3, 8, 8, 1))
  axis = plots.traversals_figure(images, ["x", "y"]).axes[0]
  assert [label.get_text() for label in axis.get_yticklabels()] == ["x", "y"]
  np.testing.assert_array_equal(
    axis.images[0].get_array(), plots.image_grid(images, padding=1)
  )


def test_rows_are_named_beside_their_images():
  axis = plots.traversals_figure(np.zeros((3, 2, 8, 8, 1)), "xyz").axes[0]
  np.testing.assert_array_equal(axis.get_yticks(), [5, 14, 23])  # lines of one pixel

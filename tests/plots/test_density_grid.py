import numpy as np

from disentangle_tf import plots


def test_densities_lie_where_they_are():
  """A density at the lower right of [0, 4] x [0, 2], the other one as its lines."""
  density = np.zeros((20, 40))
  density[:5, 30:] = 1.0
  figure = plots.density_grid_figure(
    {"a": density, "b": 2 * density}, (0, 4, 0, 2), contours={"b": density}
  )
  first, second = figure.axes
  (image,) = first.images
  assert image.get_extent() == [0, 4, 0, 2] and image.origin == "lower"
  np.testing.assert_array_equal(image.get_array(), density)
  assert image.get_clim() == (0, 1) and second.images[0].get_clim() == (0, 2)
  assert first.get_title() == "a" and not first.collections
  (lines,) = second.collections
  points = np.concatenate([path.vertices for path in lines.get_paths()])
  assert points[:, 0].min() > 2.9 and points[:, 1].max() < 0.6

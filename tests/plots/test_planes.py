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


_POINTS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def _figure(**options):
  places, columns = (
    np.array([[0.0, 0.0], [1.0, 1.0]]),
    np.array([[3.0, 0.0], [0.0, 9.0]]),
  )
  directions = {"one": (places, np.stack([columns, np.zeros((2, 2))]))}
  return plots.direction_grid_figure(
    _POINTS, directions, {"one": 2 * _POINTS}, **options
  )


def test_directions_at_their_places_have_one_length():
  above, below = _figure(notes={"one": "0°"}, caption="words").axes
  first, second = (line.get_xydata() for line in above.get_lines())  # none of length 0
  np.testing.assert_allclose(first, [[-0.065, 0], [0.065, 0]], atol=1e-12)
  np.testing.assert_allclose(second, [[0, -0.065], [0, 0.065]], atol=1e-12)
  assert above.get_title() == "one" and above.get_ylabel() == "points"
  assert [text.get_text() for text in above.texts] == ["0°"]
  np.testing.assert_array_equal(below.collections[0].get_offsets(), 2 * _POINTS)


def test_a_point_has_the_colour_of_its_code():
  above, below = (axis.collections[0].get_facecolors() for axis in _figure().axes)
  np.testing.assert_array_equal(above, below)
  assert len(np.unique(above, axis=0)) == 4

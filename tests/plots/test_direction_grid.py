import numpy as np

from disentangle_tf import plots

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

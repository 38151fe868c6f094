import numpy as np
from shared_checks import tiny_data

from disentangle_tf import plots
from disentangle_tf.data import FactorTable
from disentangle_tf.perceived.existing_traversals import draw_traversals
from disentangle_tf.pictures import factor_traversals


def _drawn(data, **options):
  points = draw_traversals(data.factors, np.random.default_rng(0))
  return factor_traversals(data, points, **options)


def test_through_the_middle_by_default():
  data = tiny_data(num_squares=1)
  shown = factor_traversals(data, columns=5)
  assert shown.shape == (2, 5, 8, 8, 3)

  def colours(points):
    return plots.to_rgb(data.observe(points).numpy())

  np.testing.assert_array_equal(shown[0, :4], colours([[i, 2] for i in range(4)]))
  np.testing.assert_array_equal(shown[1, :4], colours([[2, i] for i in range(4)]))
  np.testing.assert_array_equal(shown[:, 4], np.ones((2, 8, 8, 3)))
  thinned = factor_traversals(data, columns=2)
  np.testing.assert_array_equal(thinned[0], colours([[0, 2], [3, 2]]))


def test_one_factor_changes_at_a_time():
  images = _drawn(tiny_data(), columns=4)
  assert images.shape == (4, 4, 8, 8, 3)
  assert (np.ptp(images[0, :4], axis=0)[..., 1] == 0).all()  # green stays
  assert (np.ptp(images[0, :4], axis=0)[..., 0] > 0).any()


def test_short_traversals_are_filled_or_end_in_white():
  still = _drawn(tiny_data(), columns=4)
  moving = _drawn(tiny_data(), columns=7, fill=True)
  np.testing.assert_array_equal(moving[:, ::2], still)
  table = np.arange(5 * 4 * 4 * 2, dtype=np.float32).reshape(10, 4, 4, 1) / 200
  grid = np.stack([np.repeat(np.arange(5), 2), np.tile(np.arange(2), 5)], axis=1)
  few = _drawn(FactorTable(table, grid), columns=5)
  assert few.shape == (2, 5, 4, 4, 3)
  assert (few[1, 2:] == 1).all() and (few[0] < 1).all()  # after two values, white


def test_missing_combinations_are_left_out():
  images = np.linspace(0, 0.9, 5, dtype=np.float32)[:, None, None, None]
  points = np.array([[0, 0], [1, 0], [1, 1], [2, 1], [2, 0]])
  data = FactorTable(np.broadcast_to(images, (5, 2, 2, 1)), points)
  shown = _drawn(data, columns=3)
  existing = set(np.linspace(0, 0.9, 5, dtype=np.float32).tolist()) | {1.0}
  assert set(shown[..., 0].ravel().tolist()) <= existing
  assert ((shown[:, :2] < 1).all()) and (shown[1, 2] == 1).all()

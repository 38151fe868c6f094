import itertools

import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.losses import MSE, Overlap, box_kernel
from disentangle_tf.perceived import exact_distances, factor_importance
from disentangle_tf.perceived.exact_distances import _kept_together

OVERLAPPING = tiny_data(grid_spacing=1, image_size=6)  # three positions per factor
OVERLAP = Overlap(MSE(), box_kernel(3), alpha=49)


def _collected(data, loss):
  """(distances [traversals, values, values] of each factor, the mean of all pairs)."""
  parts = {factor: [] for factor in range(len(data.factors))}
  mean = exact_distances.exact_distances(
    data, loss.squared_maps(), lambda factor, found: parts[factor].append(found)
  )
  return [np.concatenate(found) for found in parts.values()], mean


def _distance(data, loss, first, second):
  images = data.observe(np.array([first, second]))
  return float(np.mean(loss.distance(images[:1], images[1:])))


@pytest.mark.parametrize("loss", [MSE(), OVERLAP], ids=["mse", "overlap"])
def test_every_traversal_comes_once_with_the_distances_of_its_pairs(loss):
  data = tiny_data(num_squares=1, grid_spacing=1, image_size=8)  # 4 x 4 points
  found, _ = _collected(data, loss)
  for factor, distances in enumerate(found):
    size = data.factors.sizes[factor]
    starts = [[value if j != factor else 0 for j in range(2)] for value in range(4)]
    assert distances.shape == (4, size, size)
    expected = [
      [[_distance(data, loss, a, b) for b in walk] for a in walk]
      for walk in (data.factors.traversal(start, factor) for start in starts)
    ]
    np.testing.assert_allclose(distances, expected, rtol=1e-4, atol=1e-6)


def test_the_mean_is_that_of_any_two_different_images():
  data = tiny_data(num_squares=1, grid_spacing=1, image_size=8)
  points = data.factors.to_factors(np.arange(len(data)))
  pairs = itertools.combinations(points, 2)
  expected = np.mean([_distance(data, OVERLAP, *pair) for pair in pairs])
  assert _collected(data, OVERLAP)[1] == pytest.approx(expected, rel=1e-5)


def test_factors_that_fit_into_memory_are_kept_together(monkeypatch):
  monkeypatch.setattr(exact_distances, "_MOST_BYTES", 4 * 10 * 12)  # twelve images
  assert _kept_together((3, 40, 4), {0, 1, 2}, 10) == [0, 2]
  assert _kept_together((3, 40, 4), {1}, 10) == [1]  # larger, but it is wanted


def test_small_blocks_give_the_same(monkeypatch):
  data = OVERLAPPING
  whole = factor_importance(data, OVERLAP, num_pairs=100)
  monkeypatch.setattr(exact_distances, "_MOST_BYTES", 4 * 30 * 2 * 6 * 6 * 2)
  parts = factor_importance(data, OVERLAP, num_pairs=100)
  for name, row in whole["factors"].items():
    assert parts["factors"][name] == pytest.approx(row, rel=1e-6)

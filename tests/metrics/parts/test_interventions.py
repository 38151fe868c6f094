import numpy as np
import pytest

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.factor_space import PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.interventions import (
  Interventions,
  batch_counts,
  check_interventions,
  checked_codes,
)

FULL = FactorSpace(("a", "b", "c"), (2, 3, 4))
# Without the points that sum to a multiple of 3.
HOLES = PartialFactorSpace(
  FULL.names, FULL.sizes, [p for p in np.ndindex(FULL.sizes) if sum(p) % 3]
)


def test_set_values_keeps_the_others_of_a_full_grid():
  points = FULL.draw(50, np.random.default_rng(0))
  changed = Interventions(FULL).set_values(points, 1, 2, np.random.default_rng(1))
  assert (changed[:, 1] == 2).all()
  np.testing.assert_array_equal(changed[:, [0, 2]], points[:, [0, 2]])
  positions = np.arange(50) % 3
  changed = Interventions(FULL).set_values(points, positions, 1, None)
  assert (changed[np.arange(50), positions] == 1).all()


def test_set_values_gives_points_that_exist_and_all_of_them():
  rng = np.random.default_rng(0)
  points = HOLES.draw(3000, rng)
  changed = Interventions(HOLES).set_values(points, 2, points[:, 2], rng)
  np.testing.assert_array_equal(changed[:, 2], points[:, 2])
  index, counts = np.unique(HOLES.to_index(changed), return_counts=True)
  np.testing.assert_array_equal(index, np.arange(HOLES.num_points))
  assert counts.min() > 0.7 * 3000 / HOLES.num_points


@pytest.mark.parametrize("space", [FULL, HOLES])
def test_batches_share_one_factor(space):
  rng = np.random.default_rng(0)
  positions = rng.integers(3, size=40)
  points = Interventions(space).draw_batches(positions, 16, rng)
  space.to_index(points)  # they exist
  batches = points.reshape(40, 16, 3)
  spread = np.ptp(batches, axis=1)
  assert not spread[np.arange(40), positions].any()
  assert (spread > 0).sum() >= 75  # of 80 that may vary
  shared = batches[positions == 2][:, 0, 2]
  assert set(shared) == {0, 1, 2, 3}


def test_factors_that_vary():
  space = FactorSpace(("a", "b", "c"), (1, 3, 4))
  assert Interventions(space).varying.tolist() == [1, 2]
  partial = PartialFactorSpace(FULL.names, FULL.sizes, [(0, 1, 0), (0, 1, 2)])
  assert Interventions(partial).varying.tolist() == [2]
  assert Interventions(partial).values(2).tolist() == [0, 2]
  with pytest.raises(UserError, match="2 or more factors"):
    check_interventions(partial, least=2)


def test_batch_counts_are_bounded():
  counts = batch_counts(10_000, 64)
  assert sum(counts) == 10_000
  assert max(counts) * 64 <= 2**17
  assert batch_counts(3, 10**6) == [1, 1, 1]


def test_codes_are_checked():
  with pytest.raises(UserError, match="2 codes for 3 points"):
    checked_codes(lambda points: np.zeros((2, 1)), np.zeros((3, 2)))
  with pytest.raises(UserError, match="latent 0 has codes"):
    checked_codes(lambda points: points * np.nan, np.zeros((3, 2)))

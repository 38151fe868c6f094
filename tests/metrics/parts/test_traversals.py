"""Traversals, which axis ratios, flatness and Z-max variance share."""

import numpy as np
import pytest
from metric_checks import check_is_scores

from disentangle_tf.data.factor_space import FactorSpace, PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.metrics import axis_ratios, flatness, z_max_variance
from disentangle_tf.metrics.parts.traversals import traversal_codes

RNG = np.random.default_rng(0)
SPACE = FactorSpace(("a", "b", "c", "one"), (5, 12, 20, 1))
NOISE = RNG.normal(size=(SPACE.num_points, 6))
METRICS = [axis_ratios, flatness, z_max_variance]


def _perfect(factors):
  return factors / SPACE.sizes


def _mixed(factors):
  return _perfect(factors) @ [[1, 2], [2, 1], [1, 1], [0, 0]]


def _noise(factors):
  return NOISE[SPACE.to_index(factors)]


def _constant(factors):
  return np.full((len(factors), 3), 0.3, np.float32)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("codes_of", [_perfect, _mixed, _noise, _constant])
def test_scores_of_all_kinds_of_codes(metric, codes_of):
  scores = metric(SPACE, codes_of, rng=3)
  check_is_scores(scores)
  assert scores == metric(SPACE, codes_of, rng=np.random.default_rng(3))
  if codes_of is _constant:
    assert set(scores.values()) == {0.0}
  for name, value in scores.items():
    assert 0 <= value <= 1 or name == "active_latents"


def test_walks_through_the_grid():
  (walks,) = traversal_codes(SPACE, lambda f: f, 1, 7, np.random.default_rng(0))
  assert walks.shape == (7, 12, 4)
  assert (walks[:, :, 1] == np.arange(12)).all()
  others = walks[:, :, [0, 2, 3]]
  assert (others == others[:, :1]).all()
  assert len(np.unique(others[:, 0], axis=0)) > 1


def test_walks_in_a_grid_with_holes():
  # Along the first factor, one of three lines has two points, the others one.
  points = np.array([[0, 0], [1, 0], [0, 1], [2, 2]])
  space = PartialFactorSpace(("a", "b"), (3, 3), points)
  (walks,) = traversal_codes(space, lambda f: f, 0, 50, np.random.default_rng(0))
  assert (walks == [[0, 0], [1, 0]]).all()


@pytest.mark.parametrize("metric", METRICS)
def test_grids_with_holes(metric):
  points = SPACE.to_factors(np.arange(0, SPACE.num_points, 3))
  space = PartialFactorSpace(SPACE.names, SPACE.sizes, points)
  check_is_scores(metric(space, _perfect))


@pytest.mark.parametrize("metric", METRICS)
def test_what_cannot_be_scored(metric):
  with pytest.raises(UserError, match="factor"):
    metric(FactorSpace(("one",), (1,)), _perfect)
  with pytest.raises(UserError, match="latent 1"):
    metric(SPACE, lambda f: f * [1, np.nan, 1, 1])
  with pytest.raises(UserError, match="codes_of gave 2 codes"):
    metric(SPACE, lambda f: np.ones((2, 3)))

import numpy as np
import pytest
from metric_checks import check_is_scores, golden_pure_functions

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.factor_space import PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.metrics import fairness, unfairness_matrix
from disentangle_tf.metrics._fairness import inter_group_unfairness, summarise

SPACE = FactorSpace(("a", "b", "c"), (3, 4, 2))
FAST = {"num_train": 200, "num_test_points_per_class": 50, "predictor": "lightgbm"}


def _identity(factors):
  return factors.astype(np.float32)


def test_known_counts():
  assert inter_group_unfairness([[5, 5], [5, 5]]) == (0.0, 0.0)
  assert inter_group_unfairness([[9, 0], [0, 9]]) == (0.5, 0.5)
  # Groups of 1 and 3, of which all but one are predicted to be the first.
  mean, largest = inter_group_unfairness([[0, 3], [1, 0]])
  assert (mean, largest) == pytest.approx((0.25 * 0.75 + 0.75 * 0.25, 0.75))
  assert inter_group_unfairness([[9, 0, 0], [0, 9, 0]]) == (0.5, 0.5)  # an empty group


def test_perfect_code_is_fair():
  scores = fairness(SPACE, _identity, num_train=200)
  check_is_scores(scores)
  assert len(scores) == 12
  assert scores == dict.fromkeys(scores, 0.0)


def test_code_of_the_sensitive_factor_is_as_unfair_as_can_be():
  class Twins(FactorSpace):
    """Draws equal factors, so that one predicts the other until it is set."""

    def draw(self, num_points, rng):
      return np.repeat(rng.integers(2, size=(num_points, 1)), 2, axis=1)

  mean, largest = unfairness_matrix(
    Twins("ab", (2, 2)), lambda factors: factors[:, 1:] * 1.0, **FAST
  )
  assert mean[0, 1] == largest[0, 1] == 0.5
  assert mean[1, 0] == 0.0
  assert np.isnan(np.diag(mean)).all()


def test_constant_and_random_codes():
  scores = fairness(SPACE, lambda f: np.full(f.shape, 0.3), **FAST)
  assert scores == dict.fromkeys(scores, 0.0)
  rng = np.random.default_rng(0)
  scores = fairness(SPACE, lambda f: rng.normal(size=f.shape), **FAST)
  assert scores["mean_unfairness_lightgbm"] < 0.15


def test_seeded_and_the_same_in_parallel():
  def codes_of(factors):
    return factors @ [[1.0, 1], [1, -1], [1, 0]]

  scores = fairness(SPACE, codes_of, **FAST, rng=3, num_jobs=1)
  parallel = fairness(SPACE, codes_of, **FAST, rng=3, num_jobs=3)
  assert parallel == pytest.approx(scores, abs=1e-9)
  assert scores["mean_unfairness_lightgbm"] > 0.01


def test_spaces_with_holes_and_factors_of_one_value():
  points = [p for p in np.ndindex(3, 4, 2, 1) if sum(p) % 4]
  space = PartialFactorSpace("abcd", (3, 4, 2, 1), points)

  def codes_of(factors):
    space.to_index(factors)  # raises if one does not exist
    return _identity(factors)

  check_is_scores(fairness(space, codes_of, **FAST))
  mean, _ = unfairness_matrix(space, codes_of, **FAST)
  assert np.isnan(mean[3]).all()
  assert np.isnan(mean[:, 3]).all()
  assert np.isfinite(mean[:3, :3]).sum() == 6


def test_errors():
  with pytest.raises(UserError, match="2 or more factors"):
    fairness(FactorSpace("ab", (3, 1)), _identity)
  with pytest.raises(UserError, match="num_test_points_per_class"):
    fairness(SPACE, _identity, num_test_points_per_class=0)


def test_golden():
  golden = golden_pure_functions()["fairness_pure"]["scores"]
  for example in golden["inter_group_fairness"]:
    expected = pytest.approx((example["mean"], example["max"]), abs=1e-6)
    assert inter_group_unfairness(example["counts"]) == expected
  matrix = np.array(golden["matrix"])
  np.fill_diagonal(matrix, np.nan)
  scores, expected = summarise("x", matrix), golden["scores"]
  for ours, theirs in (
    ("x", "mean_pred:mean_sens"),
    ("x_worst_sensitive", "mean_pred:max_sens"),
    ("x_worst_predicted", "mean_sens:max_pred"),
    ("x_of_worst_sensitive", "max_sens:mean_pred"),
    ("x_of_worst_predicted", "max_pred:mean_sens"),
    ("x_worst_pair", "max_pred:max_sens"),
  ):
    assert scores[ours] == pytest.approx(expected[f"mean_fairness:{theirs}"], abs=1e-12)

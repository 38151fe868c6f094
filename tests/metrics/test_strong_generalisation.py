import numpy as np
import pytest
from metric_checks import check_is_scores

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.factor_space import PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.metrics import strong_generalisation

SPACE = FactorSpace(("a", "b", "c"), (3, 4, 2))
FAST = {
  "num_train": 200,
  "num_test": 200,
  "num_experiments": 3,
  "predictor": "lightgbm",
}
NAMES = (
  "train_accuracy",
  "test_accuracy",
  "strong_train_accuracy",
  "strong_test_accuracy",
  "strong_generalisation_gap",
)


def _identity(factors):
  return factors.astype(np.float32)


def test_perfect_code_loses_nothing():
  few = {"num_train": 100, "num_test": 100, "num_experiments": 1}
  scores = strong_generalisation(SPACE, _identity, **few)
  check_is_scores(scores)
  assert tuple(scores) == NAMES
  assert scores == dict(zip(NAMES, (1.0, 1.0, 1.0, 1.0, 0.0), strict=True))


def test_entangled_code_loses():
  # The sum of the factors in base 4: one factor cannot be predicted once another takes
  # an unseen value.
  scores = strong_generalisation(SPACE, lambda f: f @ [[16.0], [4], [1]], **FAST)
  assert tuple(scores) == tuple(f"{name}_lightgbm" for name in NAMES)
  assert scores["test_accuracy_lightgbm"] > 0.9
  assert scores["strong_train_accuracy_lightgbm"] > 0.9
  assert scores["strong_generalisation_gap_lightgbm"] > 0.2


def test_training_never_sees_what_is_tested():
  asked = []

  def codes_of(factors):
    asked.append(factors.copy())
    return _identity(factors)

  strong_generalisation(SPACE, codes_of, **FAST)
  assert len(asked) == 2 + 2 * 3 * 3
  for train, test in zip(asked[2::2], asked[3::2], strict=True):
    held = [i for i in range(3) if len(np.unique(train[:, i])) == 1]
    assert len(held) == 1
    assert train[0, held[0]] not in test[:, held[0]]
    others = [i for i in range(3) if i not in held]
    np.testing.assert_array_equal(train[:, others], asked[0][:, others])


def test_random_and_constant_codes():
  rng = np.random.default_rng(0)
  chance = (1 / 3 + 1 / 4 + 1 / 2) / 3
  guesses = (lambda f: rng.normal(size=f.shape), lambda f: np.full(f.shape, 0.3))
  for codes_of in guesses:
    scores = strong_generalisation(SPACE, codes_of, **FAST)
    check_is_scores(scores)
    assert scores["strong_test_accuracy_lightgbm"] == pytest.approx(chance, abs=0.1)


def test_seeded_and_the_same_in_parallel():
  scores = strong_generalisation(SPACE, _identity, **FAST, rng=3, num_jobs=1)
  parallel = strong_generalisation(SPACE, _identity, **FAST, rng=3, num_jobs=3)
  assert parallel == pytest.approx(scores, abs=1e-9)


def test_spaces_with_holes_and_factors_of_one_value():
  points = [p for p in np.ndindex(3, 4, 2, 1) if sum(p) % 4]
  space = PartialFactorSpace("abcd", (3, 4, 2, 1), points)

  def codes_of(factors):
    space.to_index(factors)  # raises if one does not exist
    return _identity(factors)

  check_is_scores(strong_generalisation(space, codes_of, **FAST))


def test_errors():
  with pytest.raises(UserError, match="2 or more factors"):
    strong_generalisation(FactorSpace("ab", (3, 1)), _identity)
  with pytest.raises(UserError, match="num_experiments"):
    strong_generalisation(SPACE, _identity, num_experiments=0)
  with pytest.raises(UserError, match="predictor"):
    strong_generalisation(SPACE, _identity, predictor="svm")

from concurrent import futures

import numpy as np
import pytest
from metric_checks import draw_factors

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.predictors import (
  REGRESSORS,
  check_predictor,
  fit_predictor,
  importances,
  named_after,
)

RNG = np.random.default_rng(0)
CLASSIFIERS = ("gradient_boosting", "lightgbm", "logistic", "svm")
every_predictor = pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)


def _fit(name, codes, labels, seed=0):
  with futures.ThreadPoolExecutor(1) as trees:
    return fit_predictor(
      name, codes, labels, seed=seed, trees=trees, progress=lambda *stage: None
    )


def test_only_what_a_metric_takes():
  check_predictor("dci", "svm", ("svm", "lasso"))
  with pytest.raises(UserError, match=r"^dci\.predictor is 'tree': .*'svm' or 'lasso'"):
    check_predictor("dci", "tree", ("svm", "lasso"))


def test_scores_of_other_predictors_have_other_names():
  scores = {"a": 1.0, "b": 2.0}
  assert named_after("svm", scores, default="svm") == scores
  assert named_after("lasso", scores, default="svm") == {"a_lasso": 1.0, "b_lasso": 2.0}


@every_predictor
def test_each_learns_what_one_latent_tells(name):
  labels = draw_factors(300, sizes=(2,))[:, 0]
  codes = np.stack([RNG.normal(size=300), labels * 2.0 - 1], axis=1)
  model = _fit(name, codes, labels)
  predicted = np.rint(model.predict(codes))  # regressions are only near
  np.testing.assert_array_equal(predicted, labels)
  if name != "logistic":
    used = importances(name, model, 2)
    assert used.shape == (2,) and (used >= 0).all()
    assert used[1] > 0.4 and used[0] < 0.1
    if name not in ("svm", "lasso"):
      assert used.sum() == pytest.approx(1)


@every_predictor
def test_where_there_is_nothing_to_learn_it_guesses(name):
  labels = np.array([4, 4, 4, 2])
  without_latents = _fit(name, np.zeros((4, 0)), labels)
  expected = 3.5 if name in REGRESSORS else 4
  assert without_latents.predict(np.zeros((2, 0))).tolist() == [expected] * 2
  one_label = _fit(name, RNG.normal(size=(4, 2)), np.full(4, 7))
  assert one_label.predict(RNG.normal(size=(2, 2))).tolist() == [7, 7]
  assert not importances(name, one_label, 2).any()


@pytest.mark.parametrize("name", ["gradient_boosting", "lightgbm", "random_forest"])
def test_seeded(name):
  labels = draw_factors(100, sizes=(4,))[:, 0]
  codes = np.round(labels[:, None] + RNG.normal(size=(100, 3)), 0)
  first, again = (importances(name, _fit(name, codes, labels, 3), 3) for _ in range(2))
  np.testing.assert_allclose(first, again, atol=1e-12)


def test_a_penalty_is_chosen_where_the_folds_allow_it():
  many = np.arange(20) % 2
  few, sorted_labels = np.array([0, 1, 0, 1]), np.array([0] * 4 + [1])
  codes = RNG.normal(size=(20, 1))
  assert hasattr(_fit("logistic", codes, many), "Cs_")
  assert not hasattr(_fit("logistic", codes[:4], few), "Cs_")
  # Without its last point, there is one label only.
  assert not hasattr(_fit("logistic", codes[:5], sorted_labels), "Cs_")


def test_weights_of_linear_predictors_are_means_over_classes():
  labels = draw_factors(300, sizes=(3,))[:, 0]
  codes = np.eye(3)[labels] + 0.01 * RNG.normal(size=(300, 3))
  model = _fit("svm", codes, labels)
  expected = np.abs(model[-1].coef_).mean(axis=0)
  np.testing.assert_allclose(importances("svm", model, 3), expected)

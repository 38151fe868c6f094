"""Predictors of factors (trees, SVM, regressions) with the papers' settings."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent import futures
from typing import Any, TypeAlias

import numpy as np

from disentangle_tf.arguments import check_choice
from disentangle_tf.metrics.parts import lightgbm_trees
from disentangle_tf.metrics.parts.fitting import LIBLINEAR, Progress

# A fitted scikit-learn estimator; scikit-learn declares no common type with `predict`.
Predictor: TypeAlias = Any
REGRESSORS = ("random_forest", "lasso")


def check_predictor(metric: str, name: str, allowed: Sequence[str]) -> None:
  """Raises a `UserError` unless `name` is among `allowed` and is installed."""
  check_choice(metric, allowed, predictor=name)
  if name == "lightgbm":
    lightgbm_trees.lightgbm_package()


def named_after(
  predictor: str, scores: dict[str, float], *, default: str
) -> dict[str, float]:
  """Scores with the predictor appended to their names, unless it is the default.

  Scores of different predictors cannot be compared and must not share a column.
  """
  if predictor == default:
    return scores
  return {f"{name}_{predictor}": score for name, score in scores.items()}


def fit_predictor(
  name: str,
  codes: np.ndarray,
  labels: np.ndarray,
  *,
  seed: int,
  trees: futures.ThreadPoolExecutor,
  progress: Progress,
) -> Predictor:
  """Fitted scikit-learn estimator of `labels`.

  Args:
    name: gradient_boosting, lightgbm, logistic, svm, random_forest or lasso.
    codes, labels: `[points, latents]` and `[points]`. Without latents, or with a single
      label, the estimator predicts a constant.
    seed: seed of the estimator.
    trees: executor that grows boosted trees.
    progress: called after each stage of boosting.
  """
  if not codes.shape[1] or len(np.unique(labels)) == 1:
    return _guess(name).fit(codes, labels)
  if name == "gradient_boosting":
    from disentangle_tf.metrics.parts.boosted_trees import boosting

    return boosting(seed, trees).fit(codes, labels, monitor=progress)
  if name == "logistic":
    return _logistic(labels).fit(codes, labels)
  makers = {
    "lightgbm": lightgbm_trees.lightgbm_classifier,
    "svm": _svm,
    "random_forest": _random_forest,
    "lasso": _lasso,
  }
  with LIBLINEAR if name == "svm" else contextlib.nullcontext():
    return makers[name](seed).fit(codes, labels)


def importances(name: str, model: Predictor, num_latents: int) -> np.ndarray:
  """How much a fitted predictor uses each latent: `[latents]`, 0 or more.

  Those of trees sum to 1; those of linear predictors are mean absolute weights.
  """
  if name in ("svm", "lasso") and hasattr(model, "steps"):
    return np.abs(np.atleast_2d(model[-1].coef_)).mean(axis=0)
  if name == "lightgbm" and hasattr(model, "booster_"):
    used = lightgbm_trees.lightgbm_importances(model)
  else:
    used = getattr(model, "feature_importances_", np.zeros(num_latents))
  return used / (used.sum() or 1.0)


def _guess(name: str) -> Predictor:
  from sklearn import dummy

  return dummy.DummyRegressor() if name in REGRESSORS else dummy.DummyClassifier()


def _logistic(labels: np.ndarray) -> Predictor:
  """Best of ten penalties over five folds: Locatello et al. 2019, Appendix."""
  from sklearn import linear_model, model_selection

  folds = model_selection.KFold(5)
  if len(labels) < folds.n_splits or any(
    len(np.unique(labels[rest])) == 1 for rest, _ in folds.split(labels)
  ):
    return linear_model.LogisticRegression()  # too few points to choose a penalty
  return linear_model.LogisticRegressionCV(Cs=10, cv=folds, scoring="accuracy")


def _svm(seed: int) -> Predictor:
  """Linear SVM, L1, C = 1, on standardised codes: Locatello et al. 2019, Appendix."""
  from sklearn import pipeline, preprocessing, svm

  classifier = svm.LinearSVC(penalty="l1", dual=False, C=1.0, random_state=seed)  # pyright: ignore[reportArgumentType]
  return pipeline.make_pipeline(preprocessing.StandardScaler(), classifier)


def _random_forest(seed: int) -> Predictor:
  """Ten trees as in Eastwood & Williams' code, at the largest depth they chose."""
  from sklearn import ensemble

  return ensemble.RandomForestRegressor(10, max_depth=12, random_state=seed)


def _lasso(seed: int) -> Predictor:
  """Lasso with the penalty of Eastwood & Williams' code, on standardised codes."""
  from sklearn import linear_model, pipeline, preprocessing

  del seed  # nothing is random
  regressor = linear_model.Lasso(alpha=0.02)
  return pipeline.make_pipeline(preprocessing.StandardScaler(), regressor)

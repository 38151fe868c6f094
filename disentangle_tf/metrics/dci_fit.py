"""The predictors behind disentanglement, completeness and informativeness."""

from typing import NamedTuple

import numpy as np

from disentangle_tf.metrics import predictors
from disentangle_tf.metrics.fitting import (
  FitPool,
  check_splits,
  class_splits,
  num_values,
)
from disentangle_tf.metrics.points import varying_columns

_PREDICTORS = ("gradient_boosting", "lightgbm", "svm", "random_forest", "lasso")


class DCIFit(NamedTuple):
  """What `dci` is made of, so that it can be drawn.

  importance: [latents, factors], how much the predictor of a factor uses a latent.
  informativeness_train, informativeness_test: [factors].
  """

  importance: np.ndarray
  informativeness_train: np.ndarray
  informativeness_test: np.ndarray


def dci_fit(
  codes,
  factors,
  test_codes,
  test_factors,
  *,
  predictor="gradient_boosting",
  rng=0,
  num_jobs=-1,
):
  """A `DCIFit` of predictors of each factor from all latents; arguments as of `dci`.

  A factor of one value is predicted for certain, and no latent is of importance to it.
  """
  predictors.check_predictor("dci", predictor, _PREDICTORS)
  split = check_splits if predictor in predictors.REGRESSORS else class_splits
  codes, factors, test_codes, test_factors = split(
    codes, factors, test_codes, test_factors
  )
  seeds = np.random.default_rng(rng).integers(2**31, size=factors.shape[1])
  varying = varying_columns(codes)  # what is constant cannot be of importance
  values = num_values(factors)
  informativeness = _explained if predictor in predictors.REGRESSORS else _accuracy

  def fit(position, progress):
    labels, test_labels = _labels(predictor, factors, test_factors, position)
    model = predictors.fit_predictor(
      predictor,
      codes[:, varying],
      labels,
      seed=int(seeds[position]),
      trees=pool.trees,
      progress=progress,
    )
    importance = np.zeros(codes.shape[1])
    importance[varying] = predictors.importances(predictor, model, varying.sum())
    return (
      importance,
      informativeness(model, codes[:, varying], labels),
      informativeness(model, test_codes[:, varying], test_labels),
    )

  slow = predictor == "gradient_boosting"
  advice = "dci_lightgbm is many times faster" if slow else ""
  with FitPool(num_jobs, title="DCI", advice=advice) as pool:
    fits = pool.map(
      fit,
      range(len(values)),
      costs=values,
      names=[f"factor {i} ({count} values)" for i, count in enumerate(values)],
    )
  importance, train, test = (np.array(part) for part in zip(*fits, strict=True))
  return DCIFit(importance.T, train, test)


def _labels(predictor, factors, test_factors, position):
  """What is predicted: classes, or a factor in units of its spread in training."""
  factor, test_factor = factors[:, position], test_factors[:, position]
  if predictor not in predictors.REGRESSORS:
    return factor, test_factor
  mean, spread = factor.mean(), factor.std() or 1.0
  return (factor - mean) / spread, (test_factor - mean) / spread


def _accuracy(model, codes, labels):
  return float(np.mean(model.predict(codes) == labels))


def _explained(model, codes, labels):
  """1 - the root mean squared error, which is 1 for a guess of the mean."""
  error = np.sqrt(np.mean(np.square(model.predict(codes) - labels)))
  return float(max(1 - error, 0.0))

"""How well each latent by itself predicts each factor."""

import numpy as np

from disentangle_tf.argument_checks import check_truth
from disentangle_tf.metrics.fitting import (
  FitPool,
  check_splits,
  class_splits,
  num_values,
)
from disentangle_tf.metrics.points import varying_columns

_LEAST_VARIANCE = 1e-12  # of a latent that explains anything, as in disentanglement_lib


def sap_matrix(
  codes, factors, test_codes, test_factors, *, continuous_factors=False, num_jobs=-1
):
  """Scores in [0, 1] of predicting each factor from one latent: [latents, factors].

  Test accuracy of a linear support vector machine (C = 0.01, balanced classes), or the
  share of variance explained if the factors are continuous. A factor of one value is
  predicted for certain by any latent, and has no variance that could be explained.
  Arguments as of `sap`.
  """
  check_truth("sap", continuous_factors=continuous_factors)
  if continuous_factors:
    codes, factors, _, _ = check_splits(codes, factors, test_codes, test_factors)
    return _explained_variance(codes.astype(np.float64), factors.astype(np.float64))
  splits = class_splits(codes, factors, test_codes, test_factors)
  return _accuracies(*splits, num_jobs)


def _explained_variance(codes, factors):
  """Squared correlations; 0 for whatever is constant."""
  codes_apart, factors_apart = (
    codes - codes.mean(axis=0),
    factors - factors.mean(axis=0),
  )
  count = max(len(codes) - 1, 1)
  covariance = codes_apart.T @ factors_apart / count
  code_variance = np.square(codes_apart).sum(axis=0) / count
  factor_variance = np.square(factors_apart).sum(axis=0) / count
  varies = np.outer(code_variance > _LEAST_VARIANCE, varying_columns(factors))
  scale = np.outer(code_variance, factor_variance)
  return np.divide(covariance**2, scale, out=np.zeros_like(scale), where=varies)


def _accuracies(codes, factors, test_codes, test_factors, num_jobs):
  values = num_values(factors)
  pairs = list(np.ndindex(codes.shape[1], factors.shape[1]))

  def fit(pair, progress):
    latent, factor = pair
    return _accuracy(
      codes[:, [latent]],
      factors[:, factor],
      test_codes[:, [latent]],
      test_factors[:, factor],
    )

  with FitPool(num_jobs, title="SAP") as pool:
    accuracies = pool.map(
      fit,
      pairs,
      costs=[values[factor] for _, factor in pairs],
      names=[f"latent {latent}, factor {factor}" for latent, factor in pairs],
    )
  return np.reshape(accuracies, (codes.shape[1], factors.shape[1]))


def _accuracy(code, classes, test_code, test_classes):
  from sklearn import svm

  if classes.min() == classes.max():
    return float(np.mean(test_classes == classes[0]))
  classifier = svm.LinearSVC(C=0.01, class_weight="balanced", random_state=0)
  classifier.fit(code, classes)
  return float(np.mean(classifier.predict(test_code) == test_classes))

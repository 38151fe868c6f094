"""Separated attribute predictability (SAP) and its matrix (Kumar et al. 2018)."""

import numpy as np

from disentangle_tf.arguments import check_truth
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.fitting import (
  FitPool,
  Progress,
  check_splits,
  class_splits,
  num_values,
  standardise,
)
from disentangle_tf.metrics.parts.points import check_varying, varying_columns

_LEAST_VARIANCE = 1e-12  # below, a latent is constant, as in disentanglement_lib


@higher_is_better("sap")
def sap(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  continuous_factors: bool = False,
  standardised: bool = False,
  balanced: bool = True,
  num_jobs: int = -1,
) -> dict[str, float]:
  """Mean gap between the two latents that predict each factor best on their own.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points.
    continuous_factors: score a latent by the share of a factor's variance that it
      explains (the squared correlation on the points to fit) instead of the accuracy of
      a classifier.
    standardised: standardise the codes for the classifiers (the appendix of Locatello
      et al. 2019). Otherwise they are used as they are, and the penalty makes the scale
      of a latent matter.
    balanced: weight classes by the inverse of their frequency (not in that appendix).
    num_jobs: classifiers fitted at the same time, in threads; -1 uses every core.

  Returns:
    `{"sap": float}` in [0, 1], higher is better; redundant and random codes score about
    0. Scores are those of linear classifiers. A factor with many values, which one
    latent cannot separate linearly, has a small gap even for a perfect code (0.02 for
    dSprites' orientation), unless `continuous_factors` is set. Factors with a single
    value are left out. With a single latent the second best is a constant. Continuous
    factors are cut into 20 bins unless `continuous_factors` is set. Values that only
    the test points have are predicted wrongly.

  Needs labels. Usually 10,000 points and 5,000 to test. Cost: a classifier for each
  value of each factor and each latent; on dSprites' factors 1.5 s of CPU, shared by all
  cores, and 0.01 s with `continuous_factors`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 2)).reshape(2, -1).T.repeat(20, axis=0)
    >>> metrics.sap(factors, factors, factors, factors)  # the other latent is a guess
    {'sap': 0.5}

  Reference: Kumar et al. 2018, "Variational Inference of Disentangled Latent Concepts
  from Unlabeled Observations"; classifiers as in the code of Locatello et al. 2019.
  """
  codes, factors, test_codes, test_factors = check_splits(
    codes, factors, test_codes, test_factors
  )
  if codes.shape[1] == 1:
    codes, test_codes = _with_constant(codes), _with_constant(test_codes)
  varying = check_varying(factors)
  matrix = sap_matrix(
    codes,
    factors[:, varying],
    test_codes,
    test_factors[:, varying],
    continuous_factors=continuous_factors,
    standardised=standardised,
    balanced=balanced,
    num_jobs=num_jobs,
  )
  second, first = np.sort(matrix, axis=0)[-2:]
  return {"sap": float((first - second).mean())}


def sap_matrix(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  continuous_factors: bool = False,
  standardised: bool = False,
  balanced: bool = True,
  num_jobs: int = -1,
) -> np.ndarray:
  """Scores of predicting each factor from one latent.

  The score is the test accuracy of a linear support vector machine (C = 0.01), or the
  share of variance explained if the factors are continuous. Any latent predicts a
  factor with a single value with certainty, and explains none of its variance.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points.
    continuous_factors, standardised, balanced, num_jobs: see `sap`.

  Returns:
    `[latents, factors]` array in [0, 1], higher is better.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 2)).reshape(2, -1).T.repeat(20, axis=0)
    >>> metrics.sap_matrix(factors, factors, factors, factors)  # perfect codes
    array([[1. , 0.5],
           [0.5, 1. ]])
  """
  check_truth(
    "sap",
    continuous_factors=continuous_factors,
    standardised=standardised,
    balanced=balanced,
  )
  if continuous_factors:
    codes, factors, _, _ = check_splits(codes, factors, test_codes, test_factors)
    return _explained_variance(codes.astype(np.float64), factors.astype(np.float64))
  codes, factors, test_codes, test_factors = class_splits(
    codes, factors, test_codes, test_factors
  )
  if standardised:
    codes, test_codes = standardise(codes, test_codes)
  return _accuracies(codes, factors, test_codes, test_factors, balanced, num_jobs)


def _with_constant(codes: np.ndarray) -> np.ndarray:
  return np.concatenate([codes, np.zeros_like(codes)], axis=1)


def _explained_variance(codes: np.ndarray, factors: np.ndarray) -> np.ndarray:
  """Squared correlations; 0 for constant latents and factors."""
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


def _accuracies(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  balanced: bool,
  num_jobs: int,
) -> np.ndarray:
  values = num_values(factors)
  pairs = list(np.ndindex(codes.shape[1], factors.shape[1]))

  def fit(pair: tuple[int, int], progress: Progress) -> float:
    latent, factor = pair
    return _accuracy(
      codes[:, [latent]],
      factors[:, factor],
      test_codes[:, [latent]],
      test_factors[:, factor],
      "balanced" if balanced else None,
    )

  with FitPool(num_jobs, title="SAP") as pool:
    accuracies = pool.map(
      fit,
      pairs,
      costs=np.array([values[factor] for _, factor in pairs]),
      names=[f"latent {latent}, factor {factor}" for latent, factor in pairs],
    )
  return np.reshape(accuracies, (codes.shape[1], factors.shape[1]))


def _accuracy(
  code: np.ndarray,
  classes: np.ndarray,
  test_code: np.ndarray,
  test_classes: np.ndarray,
  class_weight: str | None,
) -> float:
  from sklearn import svm

  if classes.min() == classes.max():
    return float(np.mean(test_classes == classes[0]))
  classifier = svm.LinearSVC(C=0.01, class_weight=class_weight, random_state=0)
  classifier.fit(code, classes)
  return float(np.mean(classifier.predict(test_code) == test_classes))

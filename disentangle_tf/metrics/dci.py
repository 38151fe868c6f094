"""Disentanglement, completeness and informativeness.

Eastwood & Williams 2018, "A Framework for the Quantitative Evaluation of Disentangled
Representations"; gradient-boosted trees as in the code of Locatello et al. 2019.
"""

import joblib
import numpy as np
from scipy import stats
from sklearn import ensemble

from disentangle_tf.metrics.points import check_points

_TINY = 1e-11  # keeps the entropy of an all-zero row defined


def dci(codes, factors, test_codes, test_factors, *, rng=0, num_jobs=-1):
  """How well each latent knows one factor, and each factor is known by one latent.

  A classifier of gradient-boosted trees predicts each factor from the latents; its
  feature importances say which latents it uses.

  Args:
    codes, factors: [points, latents] and [points, factors] to fit on.
    test_codes, test_factors: points that were not fitted.
    rng: seed or `numpy.random.Generator` of the classifiers.
    num_jobs: factors fitted at the same time; -1 takes every core.

  Returns:
    {"disentanglement", "completeness", "informativeness_train",
    "informativeness_test"}, floats in [0, 1], higher is better; informativeness is the
    mean accuracy over factors.

  Needs labels. Cost: 100 trees for every value of every factor; 10,000 points of a
  factor with 8 values take about 30 s.
  """
  codes, factors = check_points(codes, factors)
  test_codes, test_factors = check_points(test_codes, test_factors)
  seeds = np.random.default_rng(rng).integers(2**31, size=factors.shape[1])
  fits = joblib.Parallel(n_jobs=num_jobs)(
    joblib.delayed(_fit)(codes, factor, test_codes, test_factor, int(seed))
    for factor, test_factor, seed in zip(factors.T, test_factors.T, seeds, strict=True)
  )
  importance, train, test = (np.array(part) for part in zip(*fits, strict=True))
  return {
    "disentanglement": disentanglement(importance.T),
    "completeness": completeness(importance.T),
    "informativeness_train": float(train.mean()),
    "informativeness_test": float(test.mean()),
  }


def disentanglement(importance):
  """Of an importance matrix [latents, factors]: does each latent serve one factor."""
  return _mean_certainty(importance)


def completeness(importance):
  """Of an importance matrix [latents, factors]: does one latent serve each factor."""
  return _mean_certainty(importance.T)


def _mean_certainty(importance):
  """1 - entropy of each row, base its length, averaged by the rows' weight."""
  if importance.shape[1] == 1:
    return 1.0  # there is only one to serve
  certainty = 1 - stats.entropy(importance + _TINY, base=importance.shape[1], axis=1)
  weights = importance.sum(axis=1)
  return float(np.average(certainty, weights=weights if weights.any() else None))


def _fit(codes, factor, test_codes, test_factor, seed):
  """(importances [latents], train accuracy, test accuracy) for one factor."""
  if len(np.unique(factor)) == 1:  # nothing to learn, and no latent is needed for it
    return np.zeros(codes.shape[1]), 1.0, float(np.mean(test_factor == factor[0]))
  trees = ensemble.GradientBoostingClassifier(random_state=seed).fit(codes, factor)
  return (
    np.abs(trees.feature_importances_),
    float(trees.score(codes, factor)),
    float(trees.score(test_codes, test_factor)),
  )

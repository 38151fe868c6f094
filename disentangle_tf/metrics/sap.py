"""Separated attribute predictability."""

import numpy as np

from disentangle_tf.metrics.fitting import check_splits
from disentangle_tf.metrics.points import check_varying
from disentangle_tf.metrics.sap_matrix import sap_matrix


def sap(
  codes, factors, test_codes, test_factors, *, continuous_factors=False, num_jobs=-1
):
  """Mean gap between the two latents that by themselves predict each factor best.

  Args:
    codes, factors: [points, latents] and [points, factors] to fit on.
    test_codes, test_factors: points that were not fitted.
    continuous_factors: score a latent by the share of a factor's variance that it
      explains (the squared correlation, on the points to fit), not by the accuracy of a
      classifier.
    num_jobs: classifiers fitted at the same time, in threads; -1 takes every core.

  Returns:
    {"sap": float in [0, 1], higher is better}; redundant and random codes give about 0.
    Scores are those of linear classifiers: a factor with many values, which one latent
    cannot separate linearly, has a small gap even in a perfect code (0.02 for dSprites'
    orientation), unless the factors are taken as continuous. Factors that take one
    value only are left out. With a single latent the second best is one that never
    changes. Continuous factors are cut into 20 bins unless `continuous_factors`. Values
    that only the test points have are predicted wrongly.

  Needs labels. Usually 10,000 points and 5,000 to test. Cost: a classifier for each
  value of each factor and each latent; on dSprites' factors 1.5 s of CPU, shared by all
  cores, and 0.01 s if continuous.

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
    num_jobs=num_jobs,
  )
  second, first = np.sort(matrix, axis=0)[-2:]
  return {"sap": float((first - second).mean())}


def _with_constant(codes):
  return np.concatenate([codes, np.zeros_like(codes)], axis=1)

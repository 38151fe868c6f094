"""Disentanglement, completeness and informativeness."""

import numpy as np
from scipy import stats

from disentangle_tf.metrics.dci_fit import dci_fit
from disentangle_tf.metrics.fitting import check_splits
from disentangle_tf.metrics.points import check_varying
from disentangle_tf.metrics.predictors import named_after

_TINY = 1e-11  # keeps the entropy of an all-zero row defined


def dci(
  codes,
  factors,
  test_codes,
  test_factors,
  *,
  predictor="gradient_boosting",
  rng=0,
  num_jobs=-1,
):
  """How well each latent knows one factor, and each factor is known by one latent.

  Each factor is predicted from all latents; the importances of the predictor say which
  latents it uses. `dci_fit` gives them, to be drawn.

  Args:
    codes, factors: [points, latents] and [points, factors] to fit on.
    test_codes, test_factors: points that were not fitted.
    predictor: "gradient_boosting", scikit-learn's trees with its defaults, as in
      disentanglement_lib and most published numbers; "lightgbm", the same trees from
      histograms (see `dci_lightgbm`); "svm", linear with an L1 penalty and C = 1 (the
      appendix of Locatello et al. 2019); "random_forest" and "lasso", regressions as in
      the original paper.
    rng: seed or `numpy.random.Generator` of the predictors.
    num_jobs: trees or factors fitted at the same time, in threads; -1 takes every core.
      It does not change the scores.

  Returns:
    {"disentanglement", "completeness", "informativeness_train",
    "informativeness_test"}, floats in [0, 1], higher is better; all but the default
    predictor have their name at the end, such as "disentanglement_svm".
    Informativeness is the mean over factors of the accuracy, or for regressions of
    1 - (root mean squared error / the factor's standard deviation), at least 0.
    A random code has disentanglement and completeness near 0 with trees, but not with
    the sparse weights of "svm" and "lasso". A constant latent is of no importance.
    Factors that take one value only are left out. With one factor disentanglement, and
    with one latent completeness, is 1. Values that only the test points have are
    predicted wrongly. Continuous factors are cut into 20 bins, but not for the
    regressions.

  Needs labels. Usually 10,000 points and 5,000 to test. Cost: 100 trees for every value
  of every factor; on dSprites' factors 400 s of CPU, shared by all cores.

  Reference: Eastwood & Williams 2018, "A Framework for the Quantitative Evaluation of
  Disentangled Representations"; gradient-boosted trees as in the code of Locatello et
  al. 2019.
  """
  codes, factors, test_codes, test_factors = check_splits(
    codes, factors, test_codes, test_factors
  )
  varying = check_varying(factors)
  fit = dci_fit(
    codes,
    factors[:, varying],
    test_codes,
    test_factors[:, varying],
    predictor=predictor,
    rng=rng,
    num_jobs=num_jobs,
  )
  scores = {
    "disentanglement": disentanglement(fit.importance),
    "completeness": completeness(fit.importance),
    "informativeness_train": float(fit.informativeness_train.mean()),
    "informativeness_test": float(fit.informativeness_test.mean()),
  }
  return named_after(predictor, scores, default="gradient_boosting")


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

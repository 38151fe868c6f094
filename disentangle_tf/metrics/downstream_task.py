"""Learning the factors from few labels."""

import numpy as np

from disentangle_tf.metrics.downstream_accuracies import downstream_accuracies
from disentangle_tf.metrics.fitting import check_splits
from disentangle_tf.metrics.points import check_varying
from disentangle_tf.metrics.predictors import named_after

_FEW, _MANY = 100, 10_000  # labels, whose ratio the paper calls statistical efficiency


def downstream_task(
  codes,
  factors,
  test_codes,
  test_factors,
  *,
  sizes=(10, 100, 1_000, 10_000),
  predictor="logistic",
  rng=0,
  num_jobs=-1,
):
  """Accuracy of predicting the factors after so many labels, and what few are worth.

  Args:
    codes, factors: [points, latents] and [points, factors] to fit on.
    test_codes, test_factors: points that were not fitted.
    sizes: numbers of labels, drawn from the points; small sets are part of large ones.
    predictor: "logistic", a regression with the best of 10 penalties over 5 folds;
      "gradient_boosting", scikit-learn's trees with its defaults; or "lightgbm", see
      `dci_lightgbm`.
    rng: seed or `numpy.random.Generator`.
    num_jobs: fits at the same time, in threads; -1 takes every core.

  Returns:
    For each size, such as 100, {"accuracy_100"}: the mean over factors (for each
    see `downstream_accuracies`), floats in [0, 1], higher is better; a constant code
    has the share of the most frequent values. With sizes 100 and 10,000 also
    "efficiency", the ratio of their accuracies: above 0, higher is better, and also
    high where neither can be learned. All but the default predictor have their name at
    the end. Folds without some value, or too few labels for folds (C = 1 then), are no
    error. Factors that take one value only are left out. Continuous factors are cut
    into 20 bins.

  Needs labels. Usually 10,000 points and 5,000 to test. Cost: nearly all of it for the
  largest size, on dSprites' factors 90 s of CPU for the regression and 400 s for
  "gradient_boosting", shared by all cores.

  Reference: Locatello et al. 2019, "Challenging Common Assumptions in the Unsupervised
  Learning of Disentangled Representations", Section 5.6 and Appendix.
  """
  codes, factors, test_codes, test_factors = check_splits(
    codes, factors, test_codes, test_factors
  )
  varying = check_varying(factors)
  rng = np.random.default_rng(rng)
  shuffled = rng.permutation(len(codes))
  matrix = downstream_accuracies(
    codes[shuffled],
    factors[shuffled][:, varying],
    test_codes,
    test_factors[:, varying],
    sizes=sizes,
    predictor=predictor,
    rng=rng,
    num_jobs=num_jobs,
  )
  means = dict(zip(sizes, matrix.mean(axis=1).tolist(), strict=True))
  scores = {f"accuracy_{size}": mean for size, mean in means.items()}
  if _FEW in means and _MANY in means:
    scores["efficiency"] = means[_FEW] / means[_MANY] if means[_MANY] else 0.0
  return named_after(predictor, scores, default="logistic")

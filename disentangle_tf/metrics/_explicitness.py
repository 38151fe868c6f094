"""Explicitness: can a linear classifier read the factors (Ridgeway & Mozer 2018)."""

import numpy as np

from disentangle_tf.arguments import check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.fitting import (
  FitPool,
  Progress,
  class_splits,
  num_values,
  standardise,
)
from disentangle_tf.metrics.parts.points import check_varying
from disentangle_tf.metrics.parts.predictors import Predictor


@higher_is_better("explicitness_train", "explicitness_test")
def explicitness(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  one_versus_rest: bool = False,
  num_jobs: int = -1,
) -> dict[str, float]:
  """How well a linear classifier of all latents separates the values of each factor.

  A logistic regression (scikit-learn's defaults: multinomial, C = 1, at most 100 steps)
  is fitted to standardised codes. For each value of a factor the score is the area
  under the ROC curve of its probability. Scores are averaged over values, then over
  factors.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points.
    one_versus_rest: fit a binary regression for each value and divide their
      probabilities by their sum (the appendix of Locatello et al. 2019) instead of a
      multinomial one.
    num_jobs: factors fitted at the same time, in threads; -1 uses every core.

  Returns:
    `{"explicitness_train": float, "explicitness_test": float}` in [0, 1], higher is
    better; 0.5 is chance, and the score of constant codes. A constant latent is
    standardised to 0 (disentanglement_lib fails on one). Factors with a single value
    are left out, also those with a single value among the test points. Values that
    occur only among the points to fit, or only among those to test, are left out.
    Continuous factors are cut into 20 bins.

  Raises:
    UserError: if every test factor has a single value.

  Needs labels. Usually 10,000 points and 5,000 to test. Cost: a logistic regression per
  factor; on dSprites' factors 2 s of CPU, shared by all cores.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 3)).reshape(2, -1).T
    >>> metrics.explicitness(factors, factors, factors, factors)  # perfect codes
    {'explicitness_train': 1.0, 'explicitness_test': 1.0}

  Reference: Ridgeway & Mozer 2018, "Learning Deep Disentangled Embeddings With the
  F-Statistic Loss"; as in the code of Locatello et al. 2019.
  """
  check_truth("explicitness", one_versus_rest=one_versus_rest)
  codes, factors, test_codes, test_factors = class_splits(
    codes, factors, test_codes, test_factors
  )
  varying = check_varying(factors)
  factors, test_factors = factors[:, varying], test_factors[:, varying]
  codes, test_codes = standardise(codes, test_codes)
  values = num_values(factors)

  def fit(position: int, progress: Progress) -> tuple[float, float]:
    from sklearn import linear_model, multiclass

    model = linear_model.LogisticRegression()
    if one_versus_rest:
      model = multiclass.OneVsRestClassifier(model)
    model.fit(codes, factors[:, position])
    return (
      _area(model, codes, factors[:, position]),
      _area(model, test_codes, test_factors[:, position]),
    )

  with FitPool(num_jobs, title="explicitness") as pool:
    areas = pool.map(
      fit,
      range(len(values)),
      costs=values,
      names=[f"factor {i} ({n} values)" for i, n in zip(varying, values, strict=True)],
    )
  train, test = np.transpose(areas)
  if np.isnan(test).all():
    raise UserError("explicitness needs a test factor that takes more than one value")
  return {
    "explicitness_train": float(train.mean()),
    "explicitness_test": float(np.nanmean(test)),
  }


def _area(model: Predictor, codes: np.ndarray, classes: np.ndarray) -> float:
  """Mean over classes of the area under the ROC curve; NaN without two classes."""
  from scipy import stats

  count = len(classes)
  # A class's area is the probability that one of its points outranks another point.
  ranks = stats.rankdata(model.predict_proba(codes), axis=0)
  areas = []
  for column, value in enumerate(model.classes_):
    inside = classes == value
    size = inside.sum()
    if 0 < size < count:
      below = ranks[inside, column].sum() - size * (size + 1) / 2
      areas.append(below / (size * (count - size)))
  return float(np.mean(areas)) if areas else float("nan")

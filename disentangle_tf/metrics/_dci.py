"""DCI: disentanglement, completeness, informativeness, and their importance matrix."""

from typing import NamedTuple

import numpy as np

from disentangle_tf.arguments import check_truth
from disentangle_tf.metrics.parts import predictors
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.fitting import (
  FitPool,
  Progress,
  check_splits,
  class_splits,
  num_values,
)
from disentangle_tf.metrics.parts.points import check_varying, varying_columns

_PREDICTORS = ("gradient_boosting", "lightgbm", "svm", "random_forest", "lasso")
_TINY = 1e-11  # keeps the entropy of an all-zero row defined


@higher_is_better("disentanglement*", "completeness*", "informativeness_*")
def dci(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  predictor: str = "gradient_boosting",
  weighted_completeness: bool = True,
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> dict[str, float]:
  """Disentanglement, completeness and informativeness of the codes.

  A predictor estimates each factor from all latents. Its importances say which latents
  it uses: a latent is disentangled if it serves one factor, a factor is complete if one
  latent serves it. `dci_fit` returns the importances, for plots.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points.
    predictor: "gradient_boosting", scikit-learn's trees with its defaults, as in
      disentanglement_lib and most published numbers; "lightgbm", similar trees from
      histograms (see `dci_lightgbm`); "svm", linear with an L1 penalty and C = 1 (the
      appendix of Locatello et al. 2019); "random_forest" or "lasso", regressions as in
      the original paper.
    weighted_completeness: True weights factors by the sum of their importances, as
      disentanglement_lib does. False weights them equally, as the appendix of Locatello
      et al. 2019 does. Trees give the same either way: their importances sum to 1 for
      each factor.
    rng: seed or `numpy.random.Generator` of the predictors.
    num_jobs: trees or factors fitted at the same time, in threads; -1 uses every core.
      It does not change the scores.

  Returns:
    `{"disentanglement": float, "completeness": float, "informativeness_train": float,
    "informativeness_test": float}` in [0, 1], higher is better. With any predictor but
    the default the names end in its name, such as "disentanglement_svm".
    Informativeness is the mean over factors of the accuracy; for regressions, of
    1 - (root mean squared error / the factor's standard deviation), at least 0.
    A random code has disentanglement and completeness near 0 with trees, but not with
    the sparse weights of "svm" and "lasso". A constant latent has no importance.
    Factors with a single value are left out. With one factor disentanglement is 1; with
    one latent completeness is 1. Values that only the test points have are predicted
    wrongly. Continuous factors are cut into 20 bins, except for the regressions.

  Needs labels. Usually 10,000 points and 5,000 to test. Cost: 100 trees for every value
  of every factor; on dSprites' factors 400 s of CPU, shared by all cores.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 3)).reshape(2, -1).T.repeat(2, axis=0)
    >>> scores = metrics.dci(factors, factors, factors, factors)  # perfect codes
    >>> {name: round(score, 3) for name, score in scores.items()}
    {'disentanglement': 1.0, 'completeness': 1.0, 'informativeness_train': 1.0,
    'informativeness_test': 1.0}

  Reference: Eastwood & Williams 2018, "A Framework for the Quantitative Evaluation of
  Disentangled Representations"; gradient-boosted trees as in the code of Locatello et
  al. 2019.
  """
  codes, factors, test_codes, test_factors = check_splits(
    codes, factors, test_codes, test_factors
  )
  check_truth("dci", weighted_completeness=weighted_completeness)
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
    "completeness": completeness(fit.importance, weighted=weighted_completeness),
    "informativeness_train": float(fit.informativeness_train.mean()),
    "informativeness_test": float(fit.informativeness_test.mean()),
  }
  return predictors.named_after(predictor, scores, default="gradient_boosting")


def dci_importance(
  codes: np.ndarray,
  factors: np.ndarray,
  *,
  predictor: str = "gradient_boosting",
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> np.ndarray:
  """Importance matrix of DCI: how much the predictor of each factor uses each latent.

  Call `dci_fit` instead to get the informativeness from the same fit.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    predictor, rng, num_jobs: see `dci`.

  Returns:
    `[latents, factors]` array, 0 or more. The importances of trees sum to 1 for each
    factor of several values; for other factors they are 0. Those of "svm" and "lasso"
    are mean absolute weights.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 3)).reshape(2, -1).T.repeat(2, axis=0)
    >>> np.abs(metrics.dci_importance(factors, factors).round(3))  # perfect codes
    array([[1., 0.],
           [0., 1.]])
  """
  return dci_fit(
    codes,
    factors,
    codes[:1],
    factors[:1],
    predictor=predictor,
    rng=rng,
    num_jobs=num_jobs,
  ).importance


class DCIFit(NamedTuple):
  """Result of `dci_fit`.

  Attributes:
    importance: `[latents, factors]`, how much the predictor of a factor uses a latent.
    informativeness_train, informativeness_test: `[factors]`, in [0, 1].
  """

  importance: np.ndarray
  informativeness_train: np.ndarray
  informativeness_test: np.ndarray


def dci_fit(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  predictor: str = "gradient_boosting",
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> DCIFit:
  """Fit the predictors of DCI and return their importances and informativeness.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points.
    predictor, rng, num_jobs: see `dci`.

  Returns:
    A named tuple `(importance, informativeness_train, informativeness_test)` of shapes
    `[latents, factors]`, `[factors]` and `[factors]`, all in [0, 1] for trees. A factor
    with a single value is predicted with certainty; no latent has importance for it.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 3)).reshape(2, -1).T.repeat(2, axis=0)
    >>> fit = metrics.dci_fit(factors, factors, factors, factors, predictor="svm")
    >>> fit.importance.shape, fit.informativeness_test.shape
    ((2, 2), (2,))
  """
  predictors.check_predictor("dci", predictor, _PREDICTORS)
  split = check_splits if predictor in predictors.REGRESSORS else class_splits
  codes, factors, test_codes, test_factors = split(
    codes, factors, test_codes, test_factors
  )
  seeds = np.random.default_rng(rng).integers(2**31, size=factors.shape[1])
  varying = varying_columns(codes)  # a constant latent has no importance
  values = num_values(factors)
  informativeness = _explained if predictor in predictors.REGRESSORS else _accuracy

  def fit(position: int, progress: Progress) -> tuple[np.ndarray, float, float]:
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


def disentanglement(importance: np.ndarray) -> float:
  """How far each latent serves a single factor, from importances."""
  return _mean_certainty(importance)


def completeness(importance: np.ndarray, *, weighted: bool = True) -> float:
  """How far each factor is served by one latent, from importances."""
  return _mean_certainty(importance.T, weighted=weighted)


def _mean_certainty(importance: np.ndarray, *, weighted: bool = True) -> float:
  """Weighted mean over rows of 1 - entropy, to the base of the row's length."""
  if importance.shape[1] == 1:
    return 1.0  # a single factor or latent
  from scipy import stats

  certainty = 1 - stats.entropy(importance + _TINY, base=importance.shape[1], axis=1)
  certainty = np.maximum(certainty, 0.0)  # below 0 by rounding
  weights = importance.sum(axis=1)
  return float(
    np.average(certainty, weights=weights if weighted and weights.any() else None)
  )


def _labels(
  predictor: str, factors: np.ndarray, test_factors: np.ndarray, position: int
) -> tuple[np.ndarray, np.ndarray]:
  """Labels to predict: classes, or a factor standardised by its training points."""
  factor, test_factor = factors[:, position], test_factors[:, position]
  if predictor not in predictors.REGRESSORS:
    return factor, test_factor
  mean, spread = factor.mean(), factor.std() or 1.0
  return (factor - mean) / spread, (test_factor - mean) / spread


def _accuracy(
  model: predictors.Predictor, codes: np.ndarray, labels: np.ndarray
) -> float:
  return float(np.mean(model.predict(codes) == labels))


def _explained(
  model: predictors.Predictor, codes: np.ndarray, labels: np.ndarray
) -> float:
  """1 - root mean squared error; 0 for a prediction of the mean."""
  error = np.sqrt(np.mean(np.square(model.predict(codes) - labels)))
  return float(max(1 - error, 0.0))

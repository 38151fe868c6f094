"""Fairness of predictions from codes, and the unfairness of each pair of factors."""

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.metrics.parts import predictors
from disentangle_tf.metrics.parts.contract import lower_is_better
from disentangle_tf.metrics.parts.fitting import FitPool, Progress
from disentangle_tf.metrics.parts.interventions import (
  CodesOf,
  Interventions,
  Space,
  check_interventions,
  checked_codes,
)

_PREDICTORS = ("gradient_boosting", "lightgbm", "logistic")


@lower_is_better("mean_unfairness*", "max_unfairness*")
def fairness(
  space: Space,
  codes_of: CodesOf,
  *,
  num_train: int = 10_000,
  num_test_points_per_class: int = 100,
  predictor: str = "gradient_boosting",
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> dict[str, float]:
  """How far predictions of a factor change with another, sensitive factor.

  A predictor of each factor is fitted to the codes. The sensitive factor of some test
  points is then set to each of its values in turn. The unfairness to a value is the
  total variation distance between the predictions for this value and those for all
  values.

  Args:
    space: the data set's `FactorSpace`.
    codes_of: function from points `[points, factors]` to codes `[points, latents]`,
      such as `CodesTable.codes_of`.
    num_train: points to fit on.
    num_test_points_per_class: test points, each of which takes every sensitive value.
    predictor: "gradient_boosting", scikit-learn's trees with its defaults; "lightgbm",
      see `dci_lightgbm`; or "logistic", see `downstream_task`.
    rng: seed or `numpy.random.Generator`.
    num_jobs: fits at the same time, in threads; -1 uses every core.

  Returns:
    Floats in [0, 1], lower is better, 0 if no prediction depends on another factor:
    "mean_unfairness": mean over sensitive values, sensitive factors and predicted
      factors, the score of the paper;
    "mean_unfairness_worst_sensitive": mean over predicted factors of the largest over
      sensitive ones; "mean_unfairness_worst_predicted": the reverse;
    "mean_unfairness_of_worst_sensitive", "mean_unfairness_of_worst_predicted": the
      largest mean of a sensitive, of a predicted factor;
    "mean_unfairness_worst_pair": the largest of all pairs; and
    the same six with "max" for the largest over sensitive values.
    With any predictor but the default the names end in its name. disentanglement_lib
    calls the first "mean_fairness:mean_pred:mean_sens". Factors with a single value are
    left out; at least two must remain. In a space with holes the points of a sensitive
    value are drawn from those that have it. A constant code scores 0.

  Needs labels. Cost: as `dci`, and a prediction for every value of every pair.

  Example:
    >>> from disentangle_tf import data, metrics
    >>> space = data.FactorSpace(("shape", "x"), (2, 2))
    >>> scores = metrics.fairness(
    ...   space, lambda factors: factors, num_train=100, predictor="logistic"
    ... )
    >>> scores["mean_unfairness_logistic"], scores["max_unfairness_worst_pair_logistic"]
    (0.0, 0.0)

  Reference: Locatello et al. 2019, "On the Fairness of Disentangled Representations",
  Section 4.
  """
  mean, largest = unfairness_matrix(
    space,
    codes_of,
    num_train=num_train,
    num_test_points_per_class=num_test_points_per_class,
    predictor=predictor,
    rng=rng,
    num_jobs=num_jobs,
  )
  scores = summarise("mean_unfairness", mean) | summarise("max_unfairness", largest)
  return predictors.named_after(predictor, scores, default="gradient_boosting")


def unfairness_matrix(
  space: Space,
  codes_of: CodesOf,
  *,
  num_train: int = 10_000,
  num_test_points_per_class: int = 100,
  predictor: str = "gradient_boosting",
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> tuple[np.ndarray, np.ndarray]:
  """Unfairness of each predicted factor to each sensitive factor.

  Args:
    space, codes_of, num_train, num_test_points_per_class, predictor, rng, num_jobs: see
      `fairness`.

  Returns:
    (mean, maximum) over the sensitive factor's values: two matrices `[predicted
    factors, sensitive factors]` in [0, 1], lower is better. The diagonal is NaN; so are
    the row and the column of a factor with a single value.

  Example:
    >>> from disentangle_tf import data, metrics
    >>> space = data.FactorSpace(("shape", "x"), (2, 2))
    >>> mean, largest = metrics.unfairness_matrix(
    ...   space, lambda factors: factors, num_train=100, predictor="logistic"
    ... )
    >>> mean
    array([[nan,  0.],
           [ 0., nan]])
  """
  predictors.check_predictor("fairness", predictor, _PREDICTORS)
  check_count(
    "fairness",
    num_train=num_train,
    num_test_points_per_class=num_test_points_per_class,
  )
  rng = np.random.default_rng(rng)
  changes = check_interventions(space, least=2)
  points = space.draw(num_train, rng)
  codes = checked_codes(codes_of, points)
  models = _fit(codes, points, changes.varying, predictor, rng, num_jobs)
  mean, largest = np.full((2, len(space.sizes), len(space.sizes)), np.nan)
  for target, model in models.items():
    for sensitive in changes.varying[changes.varying != target]:
      tested = space.draw(num_test_points_per_class, rng)
      counts = _count(changes, codes_of, model, tested, sensitive, rng)
      mean[target, sensitive], largest[target, sensitive] = inter_group_unfairness(
        counts
      )
  return mean, largest


def summarise(name: str, matrix: np.ndarray) -> dict[str, float]:
  """Means and maxima of a matrix `[predicted, sensitive]`, ignoring NaNs."""
  used = ~np.isnan(matrix).all(axis=1)
  matrix = matrix[np.ix_(used, used)]
  scores = {
    name: np.nanmean(np.nanmean(matrix, axis=1)),
    f"{name}_worst_sensitive": np.nanmax(matrix, axis=1).mean(),
    f"{name}_worst_predicted": np.nanmax(matrix, axis=0).mean(),
    f"{name}_of_worst_sensitive": np.nanmean(matrix, axis=0).max(),
    f"{name}_of_worst_predicted": np.nanmean(matrix, axis=1).max(),
    f"{name}_worst_pair": np.nanmax(matrix),
  }
  return {key: float(value) for key, value in scores.items()}


def inter_group_unfairness(counts: np.ndarray) -> tuple[float, float]:
  """Mean and maximum over groups of their predictions' distance from all predictions.

  Args:
    counts: `[predicted values, groups]`.

  Returns:
    (mean, maximum) of total variation distances in [0, 1]. The mean is weighted by the
    groups' sizes.
  """
  counts = np.asarray(counts, np.float64)
  counts = counts[:, counts.any(axis=0)]
  sizes = counts.sum(axis=0)
  overall = counts.sum(axis=1, keepdims=True) / sizes.sum()
  distances = np.abs(counts / sizes - overall).sum(axis=0) / 2
  return float(np.average(distances, weights=sizes)), float(distances.max())


def _fit(
  codes: np.ndarray,
  points: np.ndarray,
  targets: np.ndarray,
  predictor: str,
  rng: np.random.Generator,
  num_jobs: int,
) -> dict[int, predictors.Predictor]:
  """Fitted predictor of each target factor."""
  seeds = rng.integers(2**31, size=len(targets))
  values = [len(np.unique(points[:, target])) for target in targets]

  def fit(job: tuple[int, int], progress: Progress) -> predictors.Predictor:
    target, seed = job
    return predictors.fit_predictor(
      predictor,
      codes,
      points[:, target],
      seed=int(seed),
      trees=pool.trees,
      progress=progress,
    )

  with FitPool(num_jobs, title="fairness") as pool:
    models = pool.map(
      fit,
      list(zip(targets, seeds, strict=True)),
      costs=values,
      names=[f"factor {i} ({n} values)" for i, n in zip(targets, values, strict=True)],
    )
  return dict(zip(targets, models, strict=True))


def _count(
  changes: Interventions,
  codes_of: CodesOf,
  model: predictors.Predictor,
  tested: np.ndarray,
  sensitive: int,
  rng: np.random.Generator,
) -> np.ndarray:
  """Counts of each predicted value for each sensitive value: `[values, groups]`."""
  groups = changes.values(sensitive)
  points = np.tile(tested, (len(groups), 1))
  points = changes.set_values(points, sensitive, np.repeat(groups, len(tested)), rng)
  predicted = model.predict(checked_codes(codes_of, points)).reshape(len(groups), -1)
  return np.stack([(predicted == value).sum(axis=1) for value in model.classes_])

"""Fairness of predictions from codes, and the unfairness of each pair of factors."""

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.metrics.parts import predictors
from disentangle_tf.metrics.parts.directions import lower_is_better
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
  """How far predictions of a factor change when another, sensitive one is set.

  A predictor of each factor is fitted to the codes. Then every value is given to the
  sensitive factor of some points; the total variation distance between what is
  predicted for one value and what is predicted for all is how unfair it is to that
  value.

  Args:
    space: the data set's `FactorSpace`.
    codes_of: function from points [points, factors] to codes [points, latents], such as
      `CodesTable.codes_of`.
    num_train: points to fit on.
    num_test_points_per_class: points that are given every sensitive value.
    predictor: "gradient_boosting", scikit-learn's trees with its defaults;
      "lightgbm", see `dci_lightgbm`; or "logistic", see `downstream_task`.
    rng: seed or `numpy.random.Generator`.
    num_jobs: fits at the same time, in threads; -1 takes every core.

  Returns:
    Floats in [0, 1], lower is better, 0 if no prediction depends on another factor:
    "mean_unfairness": mean over sensitive values, sensitive factors and predicted
      factors, the score of the paper;
    "mean_unfairness_worst_sensitive": mean over predicted factors of the largest over
      sensitive ones, "mean_unfairness_worst_predicted" the other way round;
    "mean_unfairness_of_worst_sensitive", "mean_unfairness_of_worst_predicted": the
      largest mean that a sensitive, a predicted factor has;
    "mean_unfairness_worst_pair": the largest of all; and
    the same six with "max" for the largest over sensitive values.
    All but the default predictor have their name at the end. disentanglement_lib calls
    the first "mean_fairness:mean_pred:mean_sens". Factors that take one value only are
    left out; two must be left. In a space with holes the points of a sensitive
    value are drawn among those that have it. A constant code gives 0.

  Needs labels. Cost: as `dci`, and a prediction for every value of every pair.

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
  """Unfairness of each predicted factor to each sensitive one.

  All else as of `fairness`.

  Returns:
    (mean, maximum) over the sensitive factor's values, two matrices [predicted factors,
    sensitive factors] in [0, 1], lower is better. The diagonal is NaN, and so is all
    of a factor that takes one value only.
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
  """Means and maxima of a matrix [predicted, sensitive]; NaNs are left out."""
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
  """(mean, maximum) over groups of how far their predictions are from all predictions.

  Args:
    counts: [predicted values, groups].

  Returns:
    Total variation distances in [0, 1]; the mean is weighted by the groups' sizes.
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
  """{target factor: its fitted predictor}."""
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
  """How often each value is predicted for each of the sensitive factor's values."""
  groups = changes.values(sensitive)
  points = np.tile(tested, (len(groups), 1))
  points = changes.set_values(points, sensitive, np.repeat(groups, len(tested)), rng)
  predicted = model.predict(checked_codes(codes_of, points)).reshape(len(groups), -1)
  return np.stack([(predicted == value).sum(axis=1) for value in model.classes_])

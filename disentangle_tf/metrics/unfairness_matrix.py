"""How far predictions of one factor depend on another one."""

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.metrics import predictors
from disentangle_tf.metrics.fitting import FitPool
from disentangle_tf.metrics.interventions import check_interventions, checked_codes

_PREDICTORS = ("gradient_boosting", "lightgbm", "logistic")


def unfairness_matrix(
  space,
  codes_of,
  *,
  num_train=10_000,
  num_test_points_per_class=100,
  predictor="gradient_boosting",
  rng=0,
  num_jobs=-1,
):
  """Unfairness of each predicted factor to each sensitive one.

  Arguments, cost and edge cases as of `fairness`.

  Returns:
    (mean, maximum) over the sensitive factor's values, two matrices [predicted factors,
    sensitive factors] in [0, 1], lower is better. The diagonal is NaN, and so is all
    of a factor that takes one value only.

  Reference: Locatello et al. 2019, "On the Fairness of Disentangled Representations",
  Section 4.
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


def inter_group_unfairness(counts):
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


def _fit(codes, points, targets, predictor, rng, num_jobs):
  """{target factor: its fitted predictor}."""
  seeds = rng.integers(2**31, size=len(targets))
  values = [len(np.unique(points[:, target])) for target in targets]

  def fit(job, progress):
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


def _count(changes, codes_of, model, tested, sensitive, rng):
  """How often each value is predicted for each of the sensitive factor's values."""
  groups = changes.values(sensitive)
  points = np.tile(tested, (len(groups), 1))
  points = changes.set_values(points, sensitive, np.repeat(groups, len(tested)), rng)
  predicted = model.predict(checked_codes(codes_of, points)).reshape(len(groups), -1)
  return np.stack([(predicted == value).sum(axis=1) for value in model.classes_])

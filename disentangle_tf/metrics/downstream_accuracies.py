"""Accuracies of learning the factors from few labels."""

import numpy as np

from disentangle_tf.argument_checks import check_count, check_list
from disentangle_tf.errors import UserError
from disentangle_tf.metrics import predictors
from disentangle_tf.metrics.fitting import FitPool, class_splits, num_values

_PREDICTORS = ("logistic", "gradient_boosting", "lightgbm")


def downstream_accuracies(
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
  """Test accuracy for each factor after so many labels: [sizes, factors].

  Arguments, cost and edge cases as of `downstream_task`, but the labels of a size are
  those of the first points, as they come.

  Reference: Locatello et al. 2019, "Challenging Common Assumptions in the Unsupervised
  Learning of Disentangled Representations", Section 5.6 and Appendix.
  """
  predictors.check_predictor("downstream_task", predictor, _PREDICTORS)
  codes, factors, test_codes, test_factors = class_splits(
    codes, factors, test_codes, test_factors
  )
  _check_sizes(sizes, len(codes))
  values = num_values(factors)
  jobs = list(np.ndindex(len(sizes), len(values)))
  seeds = np.random.default_rng(rng).integers(2**31, size=(len(sizes), len(values)))

  def fit(job, progress):
    size, factor = sizes[job[0]], job[1]
    model = predictors.fit_predictor(
      predictor,
      codes[:size],
      factors[:size, factor],
      seed=int(seeds[job]),
      trees=pool.trees,
      progress=progress,
    )
    return np.mean(model.predict(test_codes) == test_factors[:, factor])

  with FitPool(num_jobs, title="downstream task") as pool:
    accuracies = pool.map(
      fit,
      jobs,
      costs=[sizes[i] * values[factor] for i, factor in jobs],
      names=[f"{sizes[i]} labels of factor {factor}" for i, factor in jobs],
    )
  return np.reshape(accuracies, (len(sizes), len(values)))


def _check_sizes(sizes, num_points):
  check_list("downstream_task", check_count, sizes=sizes)
  if max(sizes) > num_points:
    raise UserError(
      f"downstream_task.sizes is {tuple(sizes)} and there are {num_points} points to "
      "fit: ask for more of these, or for smaller sizes"
    )

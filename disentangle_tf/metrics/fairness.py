"""Fairness of predictions from a representation."""

import numpy as np

from disentangle_tf.metrics.predictors import named_after
from disentangle_tf.metrics.unfairness_matrix import unfairness_matrix


def fairness(
  space,
  codes_of,
  *,
  num_train=10_000,
  num_test_points_per_class=100,
  predictor="gradient_boosting",
  rng=0,
  num_jobs=-1,
):
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
  return named_after(predictor, scores, default="gradient_boosting")


def summarise(name, matrix):
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

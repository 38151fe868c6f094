"""Downstream task: accuracy of predicting the factors from few labels."""

from collections.abc import Sequence

import numpy as np

from disentangle_tf.arguments import check_count, check_list
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts import predictors
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.fitting import (
  FitPool,
  Progress,
  check_splits,
  class_splits,
  num_values,
)
from disentangle_tf.metrics.parts.points import check_varying

_PREDICTORS = ("logistic", "gradient_boosting", "lightgbm")


@higher_is_better("accuracy_*", "efficiency*")
def downstream_task(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  sizes: Sequence[int] = (10, 100, 1_000, 10_000),
  efficiency_sizes: Sequence[int] = (100, 10_000),
  predictor: str = "logistic",
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> dict[str, float]:
  """Accuracy of predicting the factors from few and from many labels.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points.
    sizes: numbers of labels, drawn from the points. Small sets are subsets of large
      ones.
    efficiency_sizes: the two sizes, few labels and many, that the efficiency compares.
    predictor: "logistic", a regression with the best of 10 penalties over 5 folds;
      "gradient_boosting", scikit-learn's trees with its defaults; or "lightgbm", see
      `dci_lightgbm`.
    rng: seed or `numpy.random.Generator`.
    num_jobs: fits at the same time, in threads; -1 uses every core.

  Returns:
    For each size, such as 100, `{"accuracy_100": float}`: the mean accuracy over
    factors in [0, 1], higher is better (`downstream_accuracies` has that of each
    factor). A constant code scores the share of the most frequent values.
    "efficiency", if both `efficiency_sizes` are among the sizes: the accuracy with few
    labels over that with many, above 0, higher is better. It is also high if neither
    can be learned.
    With any predictor but the default the names end in its name. Folds that lack a
    value are no error; with too few labels for folds C is 1. Factors with a single
    value are left out. Continuous factors are cut into 20 bins.

  Raises:
    UserError: if a size exceeds the number of points.

  Needs labels. Usually 10,000 points and 5,000 to test. Cost: dominated by the largest
  size; on dSprites' factors 90 s of CPU for the regression and 400 s for
  "gradient_boosting", shared by all cores.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 2)).reshape(2, -1).T.repeat(10, axis=0)
    >>> metrics.downstream_task(factors, factors, factors, factors, sizes=(20, 40))
    {'accuracy_20': 1.0, 'accuracy_40': 1.0}

  Reference: Locatello et al. 2019, "Challenging Common Assumptions in the Unsupervised
  Learning of Disentangled Representations", Section 5.6 and Appendix.
  """
  codes, factors, test_codes, test_factors = check_splits(
    codes, factors, test_codes, test_factors
  )
  check_list("downstream_task", check_count, efficiency_sizes=efficiency_sizes)
  if len(efficiency_sizes) != 2:
    raise UserError(
      f"downstream_task.efficiency_sizes is {efficiency_sizes!r}: it must be two "
      "numbers of labels, such as (100, 10_000)"
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
  if set(efficiency_sizes) <= set(means):
    few, many = (means[size] for size in efficiency_sizes)
    scores["efficiency"] = few / many if many else 0.0
  return predictors.named_after(predictor, scores, default="logistic")


def downstream_accuracies(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  sizes: Sequence[int] = (10, 100, 1_000, 10_000),
  predictor: str = "logistic",
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> np.ndarray:
  """Test accuracy of each factor for several numbers of labels.

  The labels are those of the first points, in the given order. A factor with a single
  value is not left out.

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points.
    sizes: numbers of labels, at most the number of points.
    predictor, rng, num_jobs: see `downstream_task`.

  Returns:
    `[sizes, factors]` array in [0, 1], higher is better.

  Raises:
    UserError: if a size exceeds the number of points.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.tile(np.indices((2, 2)).reshape(2, -1).T, (10, 1))
    >>> metrics.downstream_accuracies(factors, factors, factors, factors, sizes=(40,))
    array([[1., 1.]])
  """
  predictors.check_predictor("downstream_task", predictor, _PREDICTORS)
  codes, factors, test_codes, test_factors = class_splits(
    codes, factors, test_codes, test_factors
  )
  _check_sizes(sizes, len(codes))
  values = num_values(factors)
  jobs = list(np.ndindex(len(sizes), len(values)))
  seeds = np.random.default_rng(rng).integers(2**31, size=(len(sizes), len(values)))

  def fit(job: tuple[int, int], progress: Progress) -> float:
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
      costs=np.array([sizes[i] * values[factor] for i, factor in jobs]),
      names=[f"{sizes[i]} labels of factor {factor}" for i, factor in jobs],
    )
  return np.reshape(accuracies, (len(sizes), len(values)))


def _check_sizes(sizes: Sequence[int], num_points: int) -> None:
  check_list("downstream_task", check_count, sizes=sizes)
  if max(sizes) > num_points:
    raise UserError(
      f"downstream_task.sizes is {tuple(sizes)} but there are only {num_points} "
      "points to fit: use more points or smaller sizes"
    )

"""Strong generalisation: predicting factors while another takes unseen values."""

from collections.abc import Sequence

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.metrics.parts import predictors
from disentangle_tf.metrics.parts.contract import higher_is_better, lower_is_better
from disentangle_tf.metrics.parts.fitting import FitPool, Progress
from disentangle_tf.metrics.parts.interventions import (
  CodesOf,
  Interventions,
  Space,
  check_interventions,
  checked_codes,
)

_PREDICTORS = ("gradient_boosting", "lightgbm", "logistic")


@higher_is_better(
  "train_accuracy*", "test_accuracy*", "strong_train_accuracy*", "strong_test_accuracy*"
)
@lower_is_better("strong_generalisation_gap*")
def strong_generalisation(
  space: Space,
  codes_of: CodesOf,
  *,
  num_train: int = 1_000,
  num_test: int = 5_000,
  num_experiments: int = 10,
  predictor: str = "gradient_boosting",
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> dict[str, float]:
  """Accuracy lost when another factor leaves the value that it had in training.

  Each factor is predicted from the codes. In an experiment another factor, drawn at
  random, has one value in all points to fit, and any other value in the test points.

  Args:
    space: the data set's `FactorSpace`.
    codes_of: function from points `[points, factors]` to codes `[points, latents]`,
      such as `CodesTable.codes_of`.
    num_train, num_test: points to fit and to test on.
    num_experiments: experiments per factor.
    predictor: "gradient_boosting", scikit-learn's trees with its defaults; "lightgbm",
      see `dci_lightgbm`; or "logistic", see `downstream_task`.
    rng: seed or `numpy.random.Generator`.
    num_jobs: fits at the same time, in threads; -1 uses every core.

  Returns:
    "train_accuracy", "test_accuracy": without interventions, in [0, 1], higher is
      better.
    "strong_train_accuracy", "strong_test_accuracy": with interventions, in [0, 1],
      higher is better.
    "strong_generalisation_gap": 1 - strong_test_accuracy / test_accuracy, at most 1,
      lower is better. About 0 for codes in which some latents encode the predicted
      factor and nothing else.
    Accuracies are means over factors (and experiments). With any predictor but the
    default the names end in its name. Factors with a single value are left out; at
    least two must remain. In a space with holes points are drawn from those that have
    the value.

  Needs labels. Cost: 1 + num_experiments fits per factor; at the defaults on dSprites'
  factors about 500 s of CPU, shared by all cores.

  Example:
    >>> from disentangle_tf import data, metrics
    >>> space = data.FactorSpace(("shape", "x"), (2, 2))
    >>> scores = metrics.strong_generalisation(
    ...   space, lambda factors: factors, num_train=50, num_experiments=1,
    ...   predictor="logistic"
    ... )
    >>> scores["test_accuracy_logistic"], scores["strong_generalisation_gap_logistic"]
    (1.0, 0.0)

  Reference: Locatello et al. 2020, "A Sober Look at the Unsupervised Learning of
  Disentangled Representations and their Evaluation"; disentanglement_lib's
  `strong_downstream_task`.
  """
  predictors.check_predictor("strong_generalisation", predictor, _PREDICTORS)
  check_count(
    "strong_generalisation",
    num_train=num_train,
    num_test=num_test,
    num_experiments=num_experiments,
  )
  rng = np.random.default_rng(rng)
  changes = check_interventions(space, least=2)
  train, test = space.draw(num_train, rng), space.draw(num_test, rng)
  # Encode here, not in the fitting threads: a model may not be thread-safe.
  plain = (checked_codes(codes_of, train), train, checked_codes(codes_of, test), test)
  jobs = [(target, plain) for target in changes.varying]
  for target in changes.varying:
    for _ in range(num_experiments):
      shifted = _intervene(changes, train, test, target, rng)
      codes = tuple(checked_codes(codes_of, points) for points in shifted)
      jobs.append((target, (codes[0], shifted[0], codes[1], shifted[1])))
  accuracies = _fit_all(jobs, space.sizes, predictor, rng, num_jobs)
  without, strong = np.split(accuracies, [len(changes.varying)])
  return predictors.named_after(
    predictor,
    _scores(without.mean(axis=0), strong.mean(axis=0)),
    default="gradient_boosting",
  )


def _intervene(
  changes: Interventions,
  train: np.ndarray,
  test: np.ndarray,
  target: int | np.integer,
  rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
  """Training points with one value of another factor, test points with other values."""
  other = rng.choice(changes.varying[changes.varying != target])
  values = rng.permutation(changes.values(other))
  elsewhere = rng.choice(values[1:], size=len(test))
  return (
    changes.set_values(train, other, values[0], rng),
    changes.set_values(test, other, elsewhere, rng),
  )


def _fit_all(
  jobs: list[tuple],
  sizes: Sequence[int],
  predictor: str,
  rng: np.random.Generator,
  num_jobs: int,
) -> np.ndarray:
  """Train and test accuracy of each job: `[jobs, 2]`."""
  seeds = rng.integers(2**31, size=len(jobs))

  def fit(job: tuple, progress: Progress) -> tuple[float, float]:
    (target, (codes, factors, test_codes, test_factors)), seed = job
    model = predictors.fit_predictor(
      predictor,
      codes,
      factors[:, target],
      seed=int(seed),
      trees=pool.trees,
      progress=progress,
    )
    return (
      np.mean(model.predict(codes) == factors[:, target]),
      np.mean(model.predict(test_codes) == test_factors[:, target]),
    )

  with FitPool(num_jobs, title="strong generalisation") as pool:
    accuracies = pool.map(
      fit,
      list(zip(jobs, seeds, strict=True)),
      costs=[sizes[target] for target, _ in jobs],
      names=[f"factor {target}" for target, _ in jobs],
    )
  return np.array(accuracies)


def _scores(without: np.ndarray, strong: np.ndarray) -> dict[str, float]:
  gap = 1 - strong[1] / without[1] if without[1] else 0.0  # no accuracy to lose
  return {
    "train_accuracy": float(without[0]),
    "test_accuracy": float(without[1]),
    "strong_train_accuracy": float(strong[0]),
    "strong_test_accuracy": float(strong[1]),
    "strong_generalisation_gap": float(gap),
  }

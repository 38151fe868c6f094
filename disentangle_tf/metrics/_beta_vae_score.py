"""BetaVAE score: the metric of the beta-VAE paper (Higgins et al. 2017)."""

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.metrics.parts import interventions
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.fitting import quiet_fits
from disentangle_tf.metrics.parts.interventions import CodesOf, Interventions, Space


@higher_is_better("train_accuracy", "eval_accuracy")
def beta_vae_score(
  space: Space,
  codes_of: CodesOf,
  *,
  batch_size: int = 64,
  num_train: int = 10_000,
  num_eval: int = 5_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, float]:
  """Accuracy of naming the factor that pairs of images share, from their codes.

  The two images of a pair share one factor. The mean absolute difference of the codes
  over a batch of pairs is one input, the shared factor its class. A logistic regression
  (scikit-learn's defaults) predicts the class.

  Args:
    space: the data set's `FactorSpace`.
    codes_of: function from points `[points, factors]` to codes `[points, latents]`,
      such as `CodesTable.codes_of`. It is called with at most 2^17 points at a time.
    batch_size: pairs per batch.
    num_train, num_eval: batches to fit and to test on.
    rng: seed or `numpy.random.Generator`.

  Returns:
    `{"train_accuracy": float, "eval_accuracy": float}` in [0, 1], higher is better. A
    random code scores 1 / (number of factors). Many codes that are not disentangled
    score 1, such as those that leave out one factor. Factors with a single value are
    left out; with one factor left the score is 1. A constant latent makes no
    difference. In a space with holes both images of a pair exist, and the second is
    drawn uniformly from the points that have the shared value.

  Needs labels. Cost: 2 * batch_size * (num_train + num_eval) codes looked up; about 1 s
  at the defaults.

  Example:
    >>> from disentangle_tf import data, metrics
    >>> space = data.FactorSpace(("shape", "x"), (3, 4))
    >>> metrics.beta_vae_score(
    ...   space, lambda factors: factors, num_train=100, num_eval=50
    ... )
    {'train_accuracy': 1.0, 'eval_accuracy': 1.0}

  Reference: Higgins et al. 2017, "beta-VAE: Learning Basic Visual Concepts with a
  Constrained Variational Framework"; implemented as in the code of Locatello et al.
  2019.
  """
  check_count(
    "beta_vae_score", batch_size=batch_size, num_train=num_train, num_eval=num_eval
  )
  rng = np.random.default_rng(rng)
  changes = interventions.check_interventions(space)
  train = _differences(changes, codes_of, num_train, batch_size, rng)
  test = _differences(changes, codes_of, num_eval, batch_size, rng)
  train_accuracy, eval_accuracy = _accuracies(train, test)
  return {"train_accuracy": train_accuracy, "eval_accuracy": eval_accuracy}


def _differences(
  changes: Interventions,
  codes_of: CodesOf,
  num_batches: int,
  batch_size: int,
  rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
  """Mean differences `[batches, latents]` and shared factors `[batches]`."""
  differences, factors = [], []
  for count in interventions.batch_counts(num_batches, 2 * batch_size):
    shared = rng.choice(changes.varying, size=count)
    rows = np.arange(count * batch_size), np.repeat(shared, batch_size)
    first = changes.space.draw(count * batch_size, rng)
    second = changes.space.draw(count * batch_size, rng)
    second = changes.set_values(second, rows[1], first[rows], rng)
    codes = interventions.checked_codes(codes_of, np.concatenate([first, second]))
    apart = np.abs(codes[: len(first)] - codes[len(first) :])
    apart = apart.reshape(count, batch_size, -1).mean(axis=1, dtype=np.float64)
    differences.append(apart)
    factors.append(shared)
  return np.concatenate(differences), np.concatenate(factors)


def _accuracies(
  train: tuple[np.ndarray, np.ndarray], test: tuple[np.ndarray, np.ndarray]
) -> tuple[float, float]:
  from sklearn import linear_model

  if len(np.unique(train[1])) == 1:
    return 1.0, float(np.mean(test[1] == train[1][0]))
  with quiet_fits():
    model = linear_model.LogisticRegression().fit(*train)
  train_accuracy, test_accuracy = (
    float(np.mean(model.predict(x) == y)) for x, y in (train, test)
  )
  return train_accuracy, test_accuracy

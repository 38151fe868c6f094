"""Z-max variance: which latent varies most with a factor (Kim et al. 2019)."""

import numpy as np

from disentangle_tf.arguments import check_count, check_weight
from disentangle_tf.metrics.parts.contract import higher_is_better, neither_is_better
from disentangle_tf.metrics.parts.interventions import (
  CodesOf,
  Space,
  check_interventions,
  checked_codes,
)
from disentangle_tf.metrics.parts.points import varying_columns
from disentangle_tf.metrics.parts.traversals import traversal_codes


@higher_is_better("train_accuracy", "eval_accuracy")
@neither_is_better("active_latents")
def z_max_variance(
  space: Space,
  codes_of: CodesOf,
  *,
  num_train: int = 800,
  num_eval: int = 800,
  num_variance_estimate: int = 10_000,
  threshold: float = 0.05,
  rng: int | np.random.Generator = 0,
) -> dict[str, float]:
  """Accuracy of naming the factor that varies, from the latent that varies most.

  This is the opposite of the FactorVAE score: all factors of a point but one are held
  fixed. The latent with the largest variance, relative to its variance on the whole
  set, is a vote for the varying factor. Each latent then predicts the factor that it
  votes for most often.

  Args:
    space: the data set's `FactorSpace`.
    codes_of: function from factors `[points, factors]` to codes `[points, latents]`.
    num_train: votes to learn from; 800 of each kind in the review.
    num_eval: votes to test on.
    num_variance_estimate: points for the variances on the whole set.
    threshold: latents with a lower standard deviation are inactive and do not vote.
    rng: seed or `numpy.random.Generator`.

  Returns:
    `{"train_accuracy": float, "eval_accuracy": float}` in [0, 1], higher is better; and
    "active_latents", the number of latents that vote. A guess scores 1 / factors, a
    random code about as much (Carbonneau et al. rescale that to 0). A walk that moves
    no latent loses its vote. Without active latents the accuracies are 0. Factors with
    a single value are left out. Redundant latents do not lower the score.

  The varying factor takes each of its values once. The papers draw a batch (of 200) of
  values instead, whose variance tends to the same with more noise and more codes.

  Needs labels and codes of chosen points. Cost: (num_train + num_eval) * mean factor
  size codes, about 36,000 for dSprites; 0.3 s from a table.

  Example:
    >>> from disentangle_tf import data, metrics
    >>> space = data.FactorSpace(("shape", "x"), (3, 4))
    >>> metrics.z_max_variance(space, lambda factors: factors)  # perfect codes
    {'train_accuracy': 1.0, 'eval_accuracy': 1.0, 'active_latents': 2.0}

  Reference: Kim et al. 2019, "Relevance Factor VAE: Learning and Identifying
  Disentangled Factors"; named so by Carbonneau et al. 2022, "Measuring Disentanglement:
  A Review of Metrics".
  """
  check_count(
    "z_max_variance",
    num_train=num_train,
    num_eval=num_eval,
    num_variance_estimate=num_variance_estimate,
  )
  check_weight("z_max_variance", threshold=threshold)
  rng = np.random.default_rng(rng)
  factors = check_interventions(space).varying
  codes = checked_codes(codes_of, space.draw(num_variance_estimate, rng))
  deviations = codes.std(axis=0, dtype=np.float64)
  active = (deviations >= threshold) & varying_columns(codes)
  if not active.any():
    return {"train_accuracy": 0.0, "eval_accuracy": 0.0, "active_latents": 0.0}

  def scaled(points: np.ndarray) -> np.ndarray:
    return checked_codes(codes_of, points)[:, active] / deviations[active]

  train, test = (
    _votes(space, scaled, factors, count, rng) for count in (num_train, num_eval)
  )
  classes = train.argmax(axis=1)  # [latents]: the factor that each predicts
  rows = np.arange(len(classes))
  return {
    "train_accuracy": float(train[rows, classes].sum() / num_train),
    "eval_accuracy": float(test[rows, classes].sum() / num_eval),
    "active_latents": float(active.sum()),
  }


def _votes(
  space: Space,
  codes_of: CodesOf,
  factors: np.ndarray,
  count: int,
  rng: np.random.Generator,
) -> np.ndarray:
  """Wins of each latent while each of `factors` varied: `[latents, factors]`."""
  shares = np.bincount(rng.integers(len(factors), size=count), minlength=len(factors))
  votes = [np.zeros(1, np.intp)] * len(factors)
  for column in np.flatnonzero(shares):
    groups = traversal_codes(space, codes_of, factors[column], shares[column], rng)
    votes[column] = np.sum([_wins(walks) for walks in groups], axis=0)
  return np.stack(np.broadcast_arrays(*votes), axis=1)


def _wins(walks: np.ndarray) -> np.ndarray:
  """Walks in which each latent had the largest variance: `[latents]`."""
  variances = (walks - walks[:, :1]).var(axis=1)  # exactly 0 without movement
  winners = variances.argmax(axis=1)[variances.any(axis=1)]
  return np.bincount(winners, minlength=variances.shape[1])

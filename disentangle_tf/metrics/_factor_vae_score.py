"""FactorVAE score: the metric of the FactorVAE paper (Kim & Mnih 2018)."""

import numpy as np

from disentangle_tf.arguments import check_count, check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts import interventions
from disentangle_tf.metrics.parts.contract import higher_is_better, neither_is_better
from disentangle_tf.metrics.parts.interventions import CodesOf, Interventions, Space


@higher_is_better("train_accuracy", "eval_accuracy")
@neither_is_better("active_latents")
def factor_vae_score(
  space: Space,
  codes_of: CodesOf,
  *,
  batch_size: int = 64,
  num_train: int = 10_000,
  num_eval: int = 5_000,
  num_variance_estimate: int = 10_000,
  threshold: float = 0.05,
  rng: int | np.random.Generator = 0,
) -> dict[str, float]:
  """Accuracy of naming the factor that a batch shares, from its least varying latent.

  All points of a batch share one factor. The batch votes for the latent with the least
  variance relative to its variance over the whole set. Each latent then predicts the
  factor from which most of its training votes came.

  Args:
    space: the data set's `FactorSpace`.
    codes_of: function from points `[points, factors]` to codes `[points, latents]`,
      such as `CodesTable.codes_of`. It is called with at most 2^17 points at a time.
    batch_size: points per batch, at least 2.
    num_train, num_eval: batches to count and to test on.
    num_variance_estimate: points for the variances over the whole set.
    threshold: latents with a smaller standard deviation are inactive.
    rng: seed or `numpy.random.Generator`.

  Returns:
    `{"train_accuracy": float, "eval_accuracy": float}` in [0, 1], higher is better; and
    "active_latents", the number of latents that took part (disentanglement_lib's
    `num_active_dims` is the number of all latents). A random code scores 1 / (number of
    factors). Without an active latent both accuracies are 0. Constant latents are never
    active. Factors with a single value are left out; with one factor left the score is
    1. In a space with holes the points of a batch exist, and are drawn uniformly from
    those that have the shared value.

  Needs labels. Cost: batch_size * (num_train + num_eval) codes looked up; about 0.5 s
  at the defaults.

  Example:
    >>> from disentangle_tf import data, metrics
    >>> space = data.FactorSpace(("shape", "x"), (3, 4))
    >>> metrics.factor_vae_score(
    ...   space, lambda factors: factors, num_train=100, num_eval=50
    ... )
    {'train_accuracy': 1.0, 'eval_accuracy': 1.0, 'active_latents': 2.0}

  Reference: Kim & Mnih 2018, "Disentangling by Factorising"; as in the code of
  Locatello et al. 2019.
  """
  check_count(
    "factor_vae_score",
    batch_size=batch_size,
    num_train=num_train,
    num_eval=num_eval,
    num_variance_estimate=num_variance_estimate,
  )
  check_weight("factor_vae_score", threshold=threshold)
  if min(batch_size, num_variance_estimate) < 2:
    raise UserError(
      "factor_vae_score.batch_size and num_variance_estimate must be at least 2: a "
      "single point has no variance"
    )
  rng = np.random.default_rng(rng)
  changes = interventions.check_interventions(space)
  codes = interventions.checked_codes(codes_of, space.draw(num_variance_estimate, rng))
  variances = codes.var(axis=0, ddof=1, dtype=np.float64)
  active = (np.sqrt(variances) >= threshold) & (codes.max(axis=0) > codes.min(axis=0))
  if not active.any():
    return {"train_accuracy": 0.0, "eval_accuracy": 0.0, "active_latents": 0.0}
  scale = np.where(active, variances, np.inf)
  train, test = (
    _votes(changes, codes_of, count, batch_size, scale, rng)
    for count in (num_train, num_eval)
  )
  chosen = train.argmax(axis=0), np.arange(train.shape[1])
  return {
    "train_accuracy": float(train[chosen].sum() / train.sum()),
    "eval_accuracy": float(test[chosen].sum() / test.sum()),
    "active_latents": float(active.sum()),
  }


def _votes(
  changes: Interventions,
  codes_of: CodesOf,
  num_batches: int,
  batch_size: int,
  scale: np.ndarray,
  rng: np.random.Generator,
) -> np.ndarray:
  """Votes for each latent by batches that share a factor: `[factors, latents]`."""
  votes = np.zeros((len(changes.space.sizes), len(scale)), int)
  for count in interventions.batch_counts(num_batches, batch_size):
    shared = rng.choice(changes.varying, size=count)
    points = changes.draw_batches(shared, batch_size, rng)
    codes = interventions.checked_codes(codes_of, points).reshape(count, batch_size, -1)
    variances = codes.var(axis=1, ddof=1, dtype=np.float64)
    least = np.where(np.isinf(scale), np.inf, variances / scale).argmin(axis=1)
    np.add.at(votes, (shared, least), 1)
  return votes

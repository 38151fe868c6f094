"""DCI-ES: explicitness and size, which extend DCI (Eastwood et al. 2023)."""

from collections.abc import Sequence

import numpy as np

from disentangle_tf.argument_checks import check_count, check_list
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.directions import higher_is_better
from disentangle_tf.metrics.parts.fitting import FitPool, Progress, check_splits
from disentangle_tf.metrics.parts.points import check_varying


@higher_is_better("dci_explicitness", "dci_size")
def dci_es(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  depths: Sequence[int] = (1, 2, 4, 6, 8, 10, 12),
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> dict[str, float]:
  """How simple a predictor suffices to read the factors, and how few latents.

  Explicitness is 1 - the area under the loss-capacity curve: forests of growing depth
  predict each factor; the loss is the mean squared error over the factor's variance,
  capacity the depth, from the constant guess (depth 0, loss 1) up. The area is above
  the lowest loss, over that of a straight line which only reaches it at the greatest
  depth. (The paper also has curves of linear models, networks and random
  features; scores of different families do not compare.)

  Args:
    codes, factors: [points, latents] and [points, factors] to fit on.
    test_codes, test_factors: points that were not fitted, for the losses.
    depths: of the forests, rising.
    rng: seed or `numpy.random.Generator` of the forests.
    num_jobs: factors fitted at the same time, in threads; -1 takes every core.

  Returns:
    {"dci_explicitness": at most 1, higher is better: 1 where the least capacity gives
    all, 0 where each unit of it gives as much, below where it only pays in the end, and
    0 for a code that predicts nothing; "dci_size": factors over latents, at most 1,
    higher is better}. Constant latents count; factors that take one value only do not.

  Needs labels. Usually 10,000 points and 5,000 to test, about 10 s for 10 latents.

  Reference: Eastwood et al. 2023, "DCI-ES: An Extended Disentanglement Framework with
  Connections to Identifiability".
  """
  check_list("dci_es", check_count, depths=depths)
  if sorted(set(depths)) != list(depths):
    raise UserError(f"dci_es.depths is {depths!r}: it must rise")
  codes, factors, test_codes, test_factors = check_splits(
    codes, factors, test_codes, test_factors
  )
  varying = check_varying(factors)
  seeds = np.random.default_rng(rng).integers(2**31, size=len(varying))

  def explicitness(job: tuple[int, int], progress: Progress) -> float:
    del progress
    position, seed = job
    losses = [
      _loss(codes, factors[:, position], test_codes, test_factors[:, position], d, seed)
      for d in depths
    ]
    return area_explicitness([0, *depths], [1.0, *losses])

  with FitPool(num_jobs, title="DCI-ES") as pool:
    each = pool.map(
      explicitness,
      list(zip(varying, seeds, strict=True)),
      costs=[1] * len(varying),
      names=[f"factor {position}" for position in varying],
    )
  return {
    "dci_explicitness": float(np.mean(each)),
    "dci_size": min(1.0, len(varying) / codes.shape[1]),
  }


def area_explicitness(capacities: Sequence[float], losses: Sequence[float]) -> float:
  """1 - the normalised area under a loss-capacity curve that begins at loss 1."""
  end = int(np.argmin(losses))
  if end == 0:
    return 0.0  # nothing beats the guess
  reach, drop = capacities[-1] - capacities[0], losses[0] - losses[end]
  above = np.array(losses[: end + 1]) - losses[end]
  area = float(np.trapezoid(above, capacities[: end + 1]))
  return 1.0 - area / (0.5 * reach * drop)


def _loss(
  codes: np.ndarray,
  factor: np.ndarray,
  test_codes: np.ndarray,
  test_factor: np.ndarray,
  depth: int,
  seed: int,
) -> float:
  from sklearn import ensemble

  forest = ensemble.RandomForestRegressor(10, max_depth=depth, random_state=int(seed))
  missed = test_factor - forest.fit(codes, factor).predict(test_codes)
  variance = np.mean((test_factor - factor.mean()) ** 2) or 1.0
  return float(np.mean(missed**2) / variance)

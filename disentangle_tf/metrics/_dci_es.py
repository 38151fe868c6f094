"""DCI-ES: explicitness and size, which extend DCI (Eastwood et al. 2023)."""

from collections.abc import Sequence

import numpy as np

from disentangle_tf.arguments import check_count, check_list
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import higher_is_better
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
  """Explicitness and size: the capacity and number of latents that factors need.

  Explicitness is 1 - the area under the loss-capacity curve. Forests of growing depth
  predict each factor. The loss is the mean squared error over the factor's variance;
  the capacity is the depth. The curve starts at the constant prediction (depth 0, loss
  1). The area is measured above the lowest loss and divided by that of a straight line
  which reaches this loss only at the greatest depth. (The paper also has curves of
  linear models, networks and random features; scores of different families cannot be
  compared.)

  Args:
    codes, factors: `[points, latents]` and `[points, factors]` to fit on.
    test_codes, test_factors: held-out points for the losses.
    depths: depths of the forests, increasing.
    rng: seed or `numpy.random.Generator` of the forests.
    num_jobs: factors fitted at the same time, in threads; -1 uses every core.

  Returns:
    `{"dci_explicitness": float, "dci_size": float}`, both at most 1, higher is better.
    "dci_explicitness" is largest if the smallest depth reaches the lowest loss (11/12
    at the default depths), 0 if the loss falls evenly, negative if it falls late, and 0
    for a code that predicts nothing.
    "dci_size" is the number of factors over that of latents. Constant latents count;
    factors with a single value do not.

  Raises:
    UserError: if `depths` do not increase.

  Needs labels. Usually 10,000 points and 5,000 to test, about 10 s for 10 latents.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 2)).reshape(2, -1).T.repeat(20, axis=0)
    >>> scores = metrics.dci_es(factors, factors, factors, factors)  # perfect codes
    >>> {name: round(score, 3) for name, score in scores.items()}
    {'dci_explicitness': 0.917, 'dci_size': 1.0}

  Reference: Eastwood et al. 2023, "DCI-ES: An Extended Disentanglement Framework with
  Connections to Identifiability".
  """
  check_list("dci_es", check_count, depths=depths)
  if sorted(set(depths)) != list(depths):
    raise UserError(f"dci_es.depths is {depths!r}: it must increase")
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
  """1 - normalised area under a loss-capacity curve that starts at loss 1."""
  end = int(np.argmin(losses))
  if end == 0:
    return 0.0  # no depth beats the constant prediction
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

"""Flatness score: how straight the codes move along the values of a factor."""

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.interventions import (
  CodesOf,
  Space,
  check_interventions,
)
from disentangle_tf.metrics.parts.traversals import traversal_codes

_NORMS = ("l1", "l2")


@higher_is_better("flatness", "flatness_l1", "flatness_l2")
def flatness(
  space: Space,
  codes_of: CodesOf,
  *,
  num_traversals: int = 64,
  rng: int | np.random.Generator = 0,
) -> dict[str, float]:
  """Width of the codes along a factor, over the length of their path.

  A walk takes all values of one factor, in order, through a random point. The width is
  the largest distance between two of its codes. The length is the sum of the steps from
  each code to the next and from the last to the first, without the longest step, so
  that a cyclic factor may begin anywhere. For each factor the mean width is divided by
  the mean length. The score is the mean over factors.

  Args:
    space: the data set's `FactorSpace`.
    codes_of: function from factors `[points, factors]` to codes `[points, latents]`.
    num_traversals: walks per factor.
    rng: seed or `numpy.random.Generator` that draws the points to walk through.

  Returns:
    Three floats in [0, 1], higher is better:
    "flatness": L2 width over L1 length, as in disent: 1 if each factor moves the codes
      along one axis and never back;
    "flatness_l1", "flatness_l2": width and length in the same norm. 1 if the path is
      straight; in L1 also if no latent turns back.
    Factors with a single value are left out. A factor that moves no latent counts as 0.
    A factor with two values always scores 1 in "flatness_l1" and "flatness_l2". A
    random code scores about 1 / n for n values.

  Needs labels whose values are ordered, and codes of chosen points. Cost:
  num_traversals * sum of factor sizes codes, about 7,000 for dSprites; 0.1 s from a
  table.

  Example:
    >>> from disentangle_tf import data, metrics
    >>> space = data.FactorSpace(("shape", "x"), (3, 4))
    >>> metrics.flatness(space, lambda factors: factors)  # perfect codes
    {'flatness': 1.0, 'flatness_l1': 1.0, 'flatness_l2': 1.0}

  Reference: Michlo 2021, the flatness score of the library disent.
  """
  check_count("flatness", num_traversals=num_traversals)
  rng = np.random.default_rng(rng)
  ratios = [
    _ratios(traversal_codes(space, codes_of, factor, num_traversals, rng))
    for factor in check_interventions(space).varying
  ]
  names = ("flatness", "flatness_l1", "flatness_l2")
  return dict(zip(names, np.mean(ratios, axis=0).tolist(), strict=True))


def _ratios(groups: list[np.ndarray]) -> list[float]:
  """Ratios of one factor's walks: L2 width over L1 length, both in L1, both in L2."""
  walks = [walk for group in groups for walk in group]
  widths = {norm: np.mean([_width(walk, norm) for walk in walks]) for norm in _NORMS}
  lengths = {norm: np.mean([_length(walk, norm) for walk in walks]) for norm in _NORMS}
  if not lengths["l2"]:
    return [0.0, 0.0, 0.0]
  pairs = (("l2", "l1"), ("l1", "l1"), ("l2", "l2"))
  return [min(float(widths[one] / lengths[other]), 1.0) for one, other in pairs]


def _width(walk: np.ndarray, norm: str) -> float:
  from scipy.spatial import distance

  distances = distance.pdist(walk, "cityblock" if norm == "l1" else "euclidean")
  return distances.max(initial=0)


def _length(walk: np.ndarray, norm: str) -> float:
  steps = walk - np.roll(walk, -1, axis=0)
  lengths = np.linalg.norm(steps, ord=1 if norm == "l1" else 2, axis=1)
  return np.sort(lengths)[:-1].sum()

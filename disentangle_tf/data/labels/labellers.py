"""Labellers: perfect, binned, noisy, permuted or partial labels of the true factors.

Every labeller is a function (factors, sizes, rng) -> (labels, sizes): true factors
[points, factors], the number of values of each, and a `numpy.random.Generator`; integer
labels [points, labels] and the number of values of each. The factors are not changed.

Locatello et al. 2020, "Disentangling Factors of Variations Using Few Labels".
"""

from collections.abc import Callable, Sequence

import numpy as np

from disentangle_tf.argument_checks import check_count, check_share
from disentangle_tf.errors import UserError

# (factors [points, factors], sizes, rng) -> (labels [points, labels], their sizes)
Labeller = Callable[..., tuple[np.ndarray, Sequence[int]]]


def perfect_labels(
  factors: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, tuple[int, ...]]:
  """The factors themselves."""
  del rng
  return np.array(factors), tuple(sizes)


def binned_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  num_bins: int = 5,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Rough labels: a factor with more values than `num_bins` gets so many equal bins."""
  del rng
  check_count("binned_labels", num_bins=num_bins)
  fewer = np.minimum(sizes, num_bins)
  # In whole numbers, or a value on the edge of a bin could fall on either side.
  return np.asarray(factors) * fewer // sizes, tuple(fewer.tolist())


def noisy_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  prob_random: float = 0.1,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Each label is, with probability `prob_random`, any value, which may be the true."""
  check_share("noisy_labels", prob_random=prob_random)
  shape = np.shape(factors)
  random = rng.random(shape) < prob_random
  return np.where(random, rng.integers(sizes, size=shape), factors), tuple(sizes)


def permuted_labels(
  factors: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Each factor's values renamed at random: they have no order any more."""
  permutations = [rng.permutation(size) for size in sizes]
  columns = zip(permutations, np.transpose(factors), strict=True)
  renamed = [permutation[column] for permutation, column in columns]
  return np.stack(renamed, axis=1), tuple(sizes)


def partial_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  num_observed_factors: int = 2,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Only some factors, chosen at random, in their order."""
  check_count("partial_labels", num_observed_factors=num_observed_factors)
  if num_observed_factors > len(sizes):
    raise UserError(
      f"partial_labels.num_observed_factors is {num_observed_factors}: there are only "
      f"{len(sizes)} factors"
    )
  kept = np.sort(rng.choice(len(sizes), num_observed_factors, replace=False))
  return np.asarray(factors)[:, kept], tuple(sizes[i] for i in kept)

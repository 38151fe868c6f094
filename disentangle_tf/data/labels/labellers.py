"""Labellers: perfect, binned, noisy, permuted or partial labels of the true factors.

Every labeller is a function (factors, sizes, rng) -> (labels, sizes). It returns new
arrays and does not change the factors.

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
  """Label points with the true factors.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`, not used.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.perfect_labels(factors, (3, 10), rng)
    >>> labels
    array([[0, 3],
           [2, 9]])
  """
  del rng
  return np.array(factors), tuple(sizes)


def binned_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  num_bins: int = 5,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with coarse values of the factors.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`, not used.
    num_bins: a factor with more values is divided into this number of equal bins.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.binned_labels(factors, (3, 10), rng, num_bins=5)
    >>> labels
    array([[0, 1],
           [2, 4]])
    >>> sizes
    (3, 5)
  """
  del rng
  check_count("binned_labels", num_bins=num_bins)
  fewer = np.minimum(sizes, num_bins)
  # In whole numbers, so that rounding moves no value into another bin.
  return np.asarray(factors) * fewer // sizes, tuple(fewer.tolist())


def noisy_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  prob_random: float = 0.1,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with the factors, of which some are replaced by random values.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`.
    prob_random: probability, 0 to 1, that a label is drawn at random. A random label
      may be the true one.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.noisy_labels(factors, (3, 10), rng, prob_random=0.5)
    >>> labels.shape
    (2, 2)
  """
  check_share("noisy_labels", prob_random=prob_random)
  shape = np.shape(factors)
  random = rng.random(shape) < prob_random
  return np.where(random, rng.integers(sizes, size=shape), factors), tuple(sizes)


def permuted_labels(
  factors: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with the factors, whose values are renumbered at random.

  The order of the labels then has no meaning.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.permuted_labels(factors, (3, 10), rng)
    >>> sizes
    (3, 10)
  """
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
  """Label points with some of the factors, chosen at random, in their order.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`.
    num_observed_factors: number of factors to keep, at most all.

  Returns:
    (labels [points, num_observed_factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.partial_labels(
    ...   factors, (3, 10), rng, num_observed_factors=1
    ... )
    >>> labels.shape
    (2, 1)
  """
  check_count("partial_labels", num_observed_factors=num_observed_factors)
  if num_observed_factors > len(sizes):
    raise UserError(
      f"partial_labels.num_observed_factors is {num_observed_factors}: there are only "
      f"{len(sizes)} factors"
    )
  kept = np.sort(rng.choice(len(sizes), num_observed_factors, replace=False))
  return np.asarray(factors)[:, kept], tuple(sizes[i] for i in kept)

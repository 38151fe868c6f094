"""Exact distances along all traversals of a finite set, for losses that are squares.

Within a traversal X `[values, numbers]` the squared distances follow from the products
X X^T, so one product covers every pair that differs in one factor.
"""

from __future__ import annotations

import collections
import functools
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from typing import NamedTuple

import numpy as np
import tensorflow as tf
import threadpoolctl

from disentangle_tf.data import FactorSpace, GroundTruthData
from disentangle_tf.progress import progress_bar
from disentangle_tf.tensor_float_32 import tensor_float_32

# A loss's `squared_maps()`: weights, and functions of images.
Maps = Sequence[tuple[float, Callable[[tf.Tensor], tf.Tensor]]]
_MOST_BYTES = 48 * 2**20  # of images that each thread holds
_BATCH = 2048  # images observed and mapped at a time
_MOST_TOGETHER = 32  # values of short factors in one product
_THREADS = os.cpu_count() or 1


@tensor_float_32(False)
def exact_distances(
  data: GroundTruthData, maps: Maps, collect: Callable[[int, np.ndarray], None]
) -> float:
  """Compute the distances within every traversal of every factor.

  Each thread makes the images of a block, whose traversals are complete along some of
  the factors, and multiplies them. Images that all threads could share would take
  gigabytes, so every image is made again for the remaining factors.

  Args:
    data: a `GroundTruthData` whose factors are a whole grid.
    maps: a loss's `squared_maps()`.
    collect: called with (factor, distances `[traversals, values, values]`), many times.

  Returns:
    The mean distance of any two different images.
  """
  space, remaining = data.factors, set(range(len(data.factors)))
  numbers = math.prod(data.observation_shape)
  weights, applied = zip(*maps, strict=True)
  observe = tf.function(
    lambda points: [apply(data.observe(points)) for apply in applied],
    reduce_retracing=True,
  )
  means = []  # one per set of kept factors, all equal
  while remaining:
    kept = _kept_together(space.sizes, remaining, len(maps) * numbers)
    sizes = [space.sizes[factor] for factor in kept]
    wanted = [axis for axis, factor in enumerate(kept) if factor in remaining]
    moments = _Moments(len(maps))
    measure = functools.partial(_measure, observe, weights, sizes, wanted)
    with progress_bar(len(data), "distances", unit="image") as bar:
      for measured in _in_threads(measure, _blocks(space, kept)):
        for axis, distances in measured.distances.items():
          collect(kept[axis], distances)
        moments.add(measured)
        bar.update(math.prod(sizes))
    means.append(moments.mean_distance(weights, len(data)))
    remaining -= set(kept)
  return means[0]


def _in_threads(
  measure: Callable[[np.ndarray], _Measured], blocks: Iterable[np.ndarray]
) -> Iterator[_Measured]:
  """Yield `measure` of every block in order, computed in threads, a few in advance."""
  pending: collections.deque[futures.Future[_Measured]] = collections.deque()
  with (
    threadpoolctl.threadpool_limits(1, user_api="blas"),  # products are too small
    futures.ThreadPoolExecutor(_THREADS) as pool,
  ):
    for block in blocks:
      if len(pending) > _THREADS:
        yield pending.popleft().result()
      pending.append(pool.submit(measure, block))
    while pending:
      yield pending.popleft().result()


def _kept_together(sizes: Sequence[int], wanted: set[int], numbers: int) -> list[int]:
  """Factors whose whole grid fits into memory, wanted ones first."""
  most = max(1, _MOST_BYTES // (4 * numbers))
  order = sorted(range(len(sizes)), key=lambda j: (j not in wanted, sizes[j]))
  kept = [order[0]]
  for factor in order[1:]:
    if math.prod(sizes[j] for j in (*kept, factor)) <= most:
      kept.append(factor)
  return sorted(kept)


def _blocks(space: FactorSpace, kept: list[int]) -> Iterator[np.ndarray]:
  """Points of the grid of the kept factors, for each value of the others."""
  others = [j for j in range(len(space)) if j not in kept]
  inner = np.indices([space.sizes[j] for j in kept]).reshape(len(kept), -1).T
  for outer in np.ndindex(*(space.sizes[j] for j in others)):
    points = np.empty((len(inner), len(space)), np.int32)
    points[:, kept] = inner
    points[:, others] = outer
    yield points


def _mapped(
  observe: Callable[[tf.Tensor], Sequence[tf.Tensor]], points: np.ndarray
) -> list[np.ndarray]:
  """Each map of the images of the points, as rows `[points, numbers]`."""
  batches = [
    [np.asarray(each) for each in observe(tf.constant(points[start : start + _BATCH]))]
    for start in range(0, len(points), _BATCH)
  ]
  whole = [
    parts[0] if len(parts) == 1 else np.concatenate(parts)
    for parts in zip(*batches, strict=True)
  ]
  return [each.reshape(len(points), -1) for each in whole]


class _Measured(NamedTuple):
  """What is known of a block.

  Attributes:
    distances: {axis: `[traversals, values, values]`} of the wanted axes.
    totals: of each map the sum of all images, float64 `[numbers]`.
    squares: of each map the sum of all squared numbers.
  """

  distances: dict[int, np.ndarray]
  totals: list[np.ndarray]
  squares: list[float]


def _measure(
  observe: Callable[[tf.Tensor], Sequence[tf.Tensor]],
  weights: Sequence[float],
  sizes: list[int],
  wanted: list[int],
  points: np.ndarray,
) -> _Measured:
  """Measure a block, whose points are a grid of `sizes`."""
  distances: dict[int, np.ndarray] = {}
  totals, squares = [], []
  groups = [group for group in _groups(sizes) if set(group) & set(wanted)]
  for weight, rows in zip(weights, _mapped(observe, points), strict=True):
    totals.append(rows.sum(axis=0).astype(np.float64))
    for group in groups:
      products = _products(rows.reshape(*sizes, -1), group)
      if group is groups[0]:
        squares.append(float(np.einsum("tvv->", products)))
      for axis in set(group) & set(wanted):
        squared = weight * _along(products, [sizes[j] for j in group], axis - group[0])
        distances[axis] = distances.get(axis, 0.0) + squared / rows.shape[1]
  return _Measured(distances, totals, squares)


class _Moments:
  """Sums over all images, of each map."""

  def __init__(self, num_maps: int) -> None:
    self._totals: list[np.ndarray] = [np.zeros(1)] * num_maps
    self._squares = np.zeros(num_maps)

  def add(self, measured: _Measured) -> None:
    added = zip(self._totals, measured.totals, strict=True)
    self._totals = [before + block for before, block in added]
    self._squares += measured.squares

  def mean_distance(self, weights: Sequence[float], count: int) -> float:
    """Mean of two different images: 2 n / (n - 1) times the variance of the maps."""
    parts = (
      weight * (square / (count * len(total)) - np.mean((total / count) ** 2))
      for weight, total, square in zip(
        weights, self._totals, self._squares, strict=True
      )
    )
    return 2 * count / max(count - 1, 1) * float(sum(parts))


def _groups(sizes: list[int]) -> list[list[int]]:
  """Neighbouring short axes whose products are computed together."""
  groups = []
  for axis, size in enumerate(sizes):
    if groups and size * math.prod(sizes[j] for j in groups[-1]) <= _MOST_TOGETHER:
      groups[-1].append(axis)
    else:
      groups.append([axis])
  return groups


def _products(grid: np.ndarray, group: list[int]) -> np.ndarray:
  """X X^T of every traversal of the grouped axes: float64 `[traversals, n, n]`."""
  numbers, values = grid.shape[-1], math.prod(grid.shape[j] for j in group)
  # [outer, inner, values, numbers]: views, no copies; rows are contiguous for BLAS.
  outer = math.prod(grid.shape[: group[0]])
  inner = math.prod(grid.shape[group[-1] + 1 : -1])
  view = grid.reshape(outer, values, inner, numbers).swapaxes(1, 2)
  products = np.matmul(view, view.swapaxes(-1, -2))
  return products.reshape(-1, values, values).astype(np.float64)


def _along(products: np.ndarray, sizes: list[int], axis: int) -> np.ndarray:
  """Squared distances along one of the grouped axes, with the others fixed."""
  before, after = math.prod(sizes[:axis]), math.prod(sizes[axis + 1 :])
  size = sizes[axis]
  shaped = products.reshape(-1, before, size, after, before, size, after)
  products = np.einsum("tbvabwa->tbavw", shaped).reshape(-1, size, size)
  squares = np.einsum("tvv->tv", products)
  return np.maximum(squares[:, :, None] + squares[:, None] - 2 * products, 0.0)

"""Exact distances along all traversals of a finite set, for losses that are squares.

Within a traversal X `[values, numbers]` the squared distances follow from the products
X X^T, so one product covers every pair that differs in one factor.
"""

import contextlib
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures

import numpy as np
import tensorflow as tf
import threadpoolctl

from disentangle_tf.data import FactorSpace, GroundTruthData
from disentangle_tf.progress import progress_bar
from disentangle_tf.tensor_float_32 import tensor_float_32

# A loss's `squared_maps()`: weights, and functions of images.
Maps = Sequence[tuple[float, Callable[[tf.Tensor], tf.Tensor]]]
_MOST_BYTES = 320 * 2**20  # of images held at a time
_BATCH = 256  # images observed and mapped at a time
_MOST_TOGETHER = 32  # values of short factors in one product
_THREADS = os.cpu_count() or 1


@tensor_float_32(False)
def exact_distances(
  data: GroundTruthData, maps: Maps, collect: Callable[[int, np.ndarray], None]
) -> float:
  """Compute the distances within every traversal of every factor.

  Args:
    data: a `GroundTruthData` whose factors are a whole grid.
    maps: a loss's `squared_maps()`.
    collect: called with (factor, distances `[traversals, values, values]`), many times.

  Returns:
    The mean distance of any two different images.
  """
  space, remaining = data.factors, set(range(len(data.factors)))
  numbers = math.prod(data.observation_shape)
  means = []  # one per block, all equal
  while remaining:
    kept = _kept_together(space.sizes, remaining, len(maps) * numbers)
    wanted = [axis for axis, factor in enumerate(kept) if factor in remaining]
    block = _Block(data, maps, [space.sizes[factor] for factor in kept])
    with progress_bar(len(data), "distances", unit="image") as bar, _threads() as pool:
      for points in _blocks(space, kept):
        block.fill(points)
        for axis, distances in block.distances(wanted, pool):
          collect(kept[axis], distances)
        bar.update(len(points))
    means.append(block.mean_distance(len(data)))
    remaining -= set(kept)
  return means[0]


@contextlib.contextmanager
def _threads() -> Iterator[futures.ThreadPoolExecutor]:
  """Threads for products that are too small to be split."""
  with (
    threadpoolctl.threadpool_limits(1, user_api="blas"),
    futures.ThreadPoolExecutor(_THREADS) as pool,
  ):
    yield pool


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


class _Block:
  """Maps of all images on a grid of some factors, in memory that is allocated once."""

  def __init__(self, data: GroundTruthData, maps: Maps, sizes: list[int]) -> None:
    self._weights, applied = zip(*maps, strict=True)
    self._observe = tf.function(
      lambda points: [apply(data.observe(points)) for apply in applied],
      reduce_retracing=True,
    )
    self._sizes = sizes
    self._mapped: list[np.ndarray] = []
    self._totals = [np.zeros(1)] * len(maps)  # over all blocks, for `mean_distance`
    self._squares = [0.0] * len(maps)

  def fill(self, points: np.ndarray) -> None:
    for start in range(0, len(points), _BATCH):
      mapped = self._observe(tf.constant(points[start : start + _BATCH]))
      if not self._mapped:
        self._mapped = [
          np.empty((len(points), math.prod(each.shape[1:])), np.float32)
          for each in mapped
        ]
      for i, each in enumerate(mapped):
        rows = np.asarray(each).reshape(len(each), -1)
        self._mapped[i][start : start + _BATCH] = rows
        self._totals[i] = self._totals[i] + rows.sum(axis=0).astype(np.float64)

  def distances(
    self, wanted: list[int], pool: futures.ThreadPoolExecutor
  ) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (axis, distances `[traversals, values, values]`) of the wanted axes."""
    totals = {}
    groups = [g for g in _groups(self._sizes) if set(g) & set(wanted)]
    for i, (weight, mapped) in enumerate(zip(self._weights, self._mapped, strict=True)):
      grid = mapped.reshape(*self._sizes, -1)
      for group in groups:
        products = _products(grid, group, pool)
        if group is groups[0]:
          self._squares[i] += float(np.einsum("tvv->", products))
        for axis in set(group) & set(wanted):
          squared = weight * _along(
            products, [self._sizes[j] for j in group], axis - group[0]
          )
          totals[axis] = totals.get(axis, 0.0) + squared / mapped.shape[1]
    yield from totals.items()

  def mean_distance(self, count: int) -> float:
    """Mean of two different images: 2 n / (n - 1) times the variance of the maps."""
    parts = (
      weight * (square / (count * len(total)) - np.mean((total / count) ** 2))
      for weight, total, square in zip(
        self._weights, self._totals, self._squares, strict=True
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


def _products(
  grid: np.ndarray, group: list[int], pool: futures.ThreadPoolExecutor
) -> np.ndarray:
  """X X^T of every traversal of the grouped axes: float64 `[traversals, n, n]`."""
  numbers, values = grid.shape[-1], math.prod(grid.shape[j] for j in group)
  # [outer, inner, values, numbers]: views, no copies; rows are contiguous for BLAS.
  outer = math.prod(grid.shape[: group[0]])
  inner = math.prod(grid.shape[group[-1] + 1 : -1])
  view = grid.reshape(outer, values, inner, numbers).swapaxes(1, 2)
  products = np.empty((outer, inner, values, values), grid.dtype)
  _multiply(view, products, pool)
  return products.reshape(-1, values, values).astype(np.float64)


def _along(products: np.ndarray, sizes: list[int], axis: int) -> np.ndarray:
  """Squared distances along one of the grouped axes, with the others fixed."""
  before, after = math.prod(sizes[:axis]), math.prod(sizes[axis + 1 :])
  size = sizes[axis]
  shaped = products.reshape(-1, before, size, after, before, size, after)
  products = np.einsum("tbvabwa->tbavw", shaped).reshape(-1, size, size)
  squares = np.einsum("tvv->tv", products)
  return np.maximum(squares[:, :, None] + squares[:, None] - 2 * products, 0.0)


def _multiply(
  view: np.ndarray, products: np.ndarray, pool: futures.ThreadPoolExecutor
) -> None:
  """Compute products = view view^T, a share of the traversals in each thread."""
  axis = 0 if len(view) >= len(view[0]) else 1
  parts = np.array_split(np.arange(view.shape[axis]), _THREADS)

  def multiply(part: np.ndarray) -> None:
    where = (slice(None),) * axis + (slice(part[0], part[-1] + 1),)
    rows = view[where]
    np.matmul(rows, rows.swapaxes(-1, -2), out=products[where])

  list(pool.map(multiply, (part for part in parts if len(part))))

"""All distances along all traversals of a finite set, for losses that are squares.

Within a traversal X [values, numbers] the squared distances follow from the products
X X^T, so that every pair of the set that differs in one factor costs one product.
"""

import math
from concurrent import futures

import numpy as np
import tensorflow as tf
import threadpoolctl

from disentangle_tf.progress import progress_bar

_MOST_BYTES = 320 * 2**20  # of images held at a time
_BATCH = 256  # images observed and mapped at a time
_THREADS = 2


def exact_distances(data, maps, collect):
  """Hands over the distances within every traversal of every factor.

  Args:
    data: a `GroundTruthData` whose factors are a whole grid.
    maps: a loss's `squared_maps()`.
    collect: function of (factor, distances [traversals, values, values]), called many
      times.
  """
  space, remaining = data.factors, set(range(len(data.factors)))
  numbers = math.prod(data.observation_shape)
  while remaining:
    kept = _kept_together(space.sizes, remaining, len(maps) * numbers)
    measured = sorted(remaining & set(kept))
    block = _Block(data, maps, [space.sizes[factor] for factor in kept])
    with progress_bar(len(data), "distances", unit="image") as bar:
      for points in _blocks(space, kept):
        block.fill(points)
        for factor in measured:
          collect(factor, block.distances(kept.index(factor)))
        bar.update(len(points))
    remaining -= set(kept)


def _kept_together(sizes, wanted, numbers):
  """Factors whose whole grid fits into memory: of the wanted ones first."""
  most = max(1, _MOST_BYTES // (4 * numbers))
  order = sorted(range(len(sizes)), key=lambda j: (j not in wanted, sizes[j]))
  kept = [order[0]]
  for factor in order[1:]:
    if math.prod(sizes[j] for j in (*kept, factor)) <= most:
      kept.append(factor)
  return sorted(kept)


def _blocks(space, kept):
  """Points [block, factors]: the grid of the kept factors, for each of the others."""
  others = [j for j in range(len(space)) if j not in kept]
  inner = np.indices([space.sizes[j] for j in kept]).reshape(len(kept), -1).T
  for outer in np.ndindex(*(space.sizes[j] for j in others)):
    points = np.empty((len(inner), len(space)), np.int32)
    points[:, kept] = inner
    points[:, others] = outer
    yield points


class _Block:
  """The maps of all images on a grid of some factors; memory is taken once."""

  def __init__(self, data, maps, sizes):
    self._weights, applied = zip(*maps, strict=True)
    self._observe = tf.function(
      lambda points: [apply(data.observe(points)) for apply in applied],
      reduce_retracing=True,
    )
    self._sizes = sizes
    self._mapped = None

  def fill(self, points):
    for start in range(0, len(points), _BATCH):
      mapped = self._observe(tf.constant(points[start : start + _BATCH]))
      if self._mapped is None:
        self._mapped = [
          np.empty((len(points), math.prod(each.shape[1:])), np.float32)
          for each in mapped
        ]
      for kept, each in zip(self._mapped, mapped, strict=True):
        kept[start : start + _BATCH] = np.asarray(each).reshape(len(each), -1)

  def distances(self, axis):
    """[traversals, values, values] along one axis of the grid."""
    return sum(
      weight * _squared_distances(mapped.reshape(*self._sizes, -1), axis)
      for weight, mapped in zip(self._weights, self._mapped, strict=True)
    )


def _squared_distances(mapped, axis):
  """Mean squared differences along one axis: [traversals, values, values]."""
  numbers, values = mapped.shape[-1], mapped.shape[axis]
  # [outer, inner, values, numbers]: views, no copies; rows are contiguous for BLAS.
  outer, inner = math.prod(mapped.shape[:axis]), math.prod(mapped.shape[axis + 1 : -1])
  view = mapped.reshape(outer, values, inner, numbers).swapaxes(1, 2)
  products = np.empty((outer, inner, values, values), mapped.dtype)
  _multiply(view, products)
  products = products.reshape(-1, values, values).astype(np.float64)
  squares = np.einsum("tvv->tv", products)
  distances = squares[:, :, None] + squares[:, None] - 2 * products
  return np.maximum(distances, 0.0) / numbers


def _multiply(view, products):
  """products = view view^T, in threads: each product is too small to be shared."""
  axis = 0 if len(view) >= len(view[0]) else 1
  parts = np.array_split(np.arange(view.shape[axis]), _THREADS)

  def multiply(part):
    where = (slice(None),) * axis + (slice(part[0], part[-1] + 1),)
    rows = view[where]
    np.matmul(rows, rows.swapaxes(-1, -2), out=products[where])

  with (
    threadpoolctl.threadpool_limits(1, user_api="blas"),
    futures.ThreadPoolExecutor(_THREADS) as pool,
  ):
    list(pool.map(multiply, (part for part in parts if len(part))))

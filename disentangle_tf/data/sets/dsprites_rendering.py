"""Rendering of dSprites in exact integer arithmetic.

The geometry was inferred from 64,834 real images of the set (Matthey et al. 2017). All
but nine are reproduced exactly, and those differ in one pixel each. A row of binary
pixels is one 64-bit word, whose bit j is column j. Smaller images and coarser grids
have the same geometry.
"""

from collections.abc import Sequence

import numpy as np

SIZES = (3, 6, 40, 32, 32)  # shape, scale, orientation, position x, position y
SIDE = 64
_SUBPIXELS = 256  # vertices are rounded to 1/256 of a pixel
_RADIUS = 9.6
_ALL = np.uint64(2**64 - 1)


def render_rows(
  shape: int,
  scale: int,
  orientation: int,
  *,
  sizes: Sequence[int] = SIZES,
  side: int = SIDE,
) -> np.ndarray:
  """Render one sprite at all positions: uint64 words [x positions, y positions, rows].

  Args:
    shape: value of this factor.
    scale: value of this factor.
    orientation: value of this factor.
    sizes: the number of values of each of the five factors. Fewer values than in
    `SIZES`
      are spread evenly over the same range, with both ends.
    side: height and width of the image in pixels, at most 64.
  """
  vertices = _rotated_outline(
    shape, _values(sizes, 1)[scale], _values(sizes, 2)[orientation]
  )
  columns = _place(vertices[:, 0], _values(sizes, 3), side)  # [positions, vertices]
  rows = _place(vertices[:, 1], _values(sizes, 4), side)
  return _fill(columns, rows, side)


def _values(sizes: Sequence[int], factor: int) -> np.ndarray:
  """A factor's values as positions in the original grid, which may be fractional."""
  size = sizes[factor]
  return np.arange(size) * (SIZES[factor] - 1) / max(size - 1, 1)


def _outlines() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
  """Closed polygons around the origin, y down: square, ellipse, heart."""
  square = _RADIUS * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
  t = 2 * np.pi * np.arange(100) / 100
  ellipse = _RADIUS * np.stack([1.33 * np.cos(t), np.sin(t) / 1.33], axis=1)
  t = 2 * np.pi * np.arange(150) / 150
  waves = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
  heart = _RADIUS * np.stack([np.sin(t) ** 3, -(waves / 14.5 + 0.15)], axis=1)
  return square, ellipse, heart


def _rotated_outline(shape: int, scale: float, orientation: float) -> np.ndarray:
  x, y = _outlines()[shape].T
  angle = 2 * np.pi * orientation / 39
  size = 0.5 + 0.1 * scale
  turned = [
    np.cos(angle) * x + np.sin(angle) * y,
    -np.sin(angle) * x + np.cos(angle) * y,
  ]
  return size * np.stack(turned, axis=1)


def _place(coordinates: np.ndarray, positions: np.ndarray, side: int) -> np.ndarray:
  """Move the outline to all positions: [positions, vertices], integers in subpixels."""
  centres = 16 + 32 * positions / (SIZES[3] - 1)
  moved = ((centres[:, None] + coordinates) * (side / SIDE)).astype(np.float32)
  return np.rint(moved * _SUBPIXELS).astype(np.int64)


def _fill(columns: np.ndarray, rows: np.ndarray, side: int) -> np.ndarray:
  """Fill outlines: a pixel is inside if an odd number of edges lies to its left.

  The edges that a row crosses do not depend on the horizontal position, so all
  horizontal positions are filled at once.
  """
  position, edge, row = _crossings(rows, side)
  y0, y1 = rows[position, edge], np.roll(rows, -1, axis=1)[position, edge]
  x0, x1 = columns[:, edge], np.roll(columns, -1, axis=1)[:, edge]
  rise = np.abs(y1 - y0)
  # The crossing of the edge and the row's centre line, times `rise`: whole numbers.
  crossing = x0 * rise + (_centre(row) - y0) * np.sign(y1 - y0) * (x1 - x0)
  # The first column whose centre is not left of the crossing, rounding up.
  column = -((_SUBPIXELS // 2 * rise - crossing) // (_SUBPIXELS * rise))
  from_there_on = np.where(
    column < side, _ALL << np.clip(column, 0, side - 1).astype(np.uint64), 0
  ).astype(np.uint64)
  place, starts = np.unique(position * side + row, return_index=True)
  words = np.zeros((len(columns), len(rows) * side), np.uint64)
  words[:, place] = np.bitwise_xor.reduceat(from_there_on, starts, axis=1)
  return words.reshape(len(columns), len(rows), side)


def _crossings(
  rows: np.ndarray, side: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
  """Find (position, edge, row) of every edge that crosses a row's centre, by row.

  An edge from low to high crosses the centres c with low < c <= high.
  """
  ends = np.stack([rows, np.roll(rows, -1, axis=1)])
  low, high = ends.min(axis=0), ends.max(axis=0)
  all_rows = np.arange(side)[:, None]
  crosses = (low[:, None] < _centre(all_rows)) & (_centre(all_rows) <= high[:, None])
  position, row, edge = np.nonzero(crosses)
  return position, edge, row


def _centre(index: np.ndarray) -> np.ndarray:
  return _SUBPIXELS * index + _SUBPIXELS // 2

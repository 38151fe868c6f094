"""Factor traversals: images of a data set along each of its factors."""

from collections.abc import Sequence

import numpy as np

from disentangle_tf.data import FactorSpace, GroundTruthData
from disentangle_tf.plots import to_rgb


def factor_traversals(
  data: GroundTruthData,
  traversals: Sequence[np.ndarray] | None = None,
  *,
  columns: int = 10,
  fill: bool = False,
) -> np.ndarray:
  """Images of a data set along each factor, one row per factor.

  Args:
    data: a `GroundTruthData` of images.
    traversals: for each factor the points [values, factors] to show; by default those
      through the middle of a complete grid.
    columns: images per row. Longer traversals are thinned evenly; shorter ones end in
      white images.
    fill: repeat the values of shorter traversals instead, so that each row ends in its
      last value.

  Returns:
    float32 [factors, columns, height, width, 3] in [0, 1], with three channels for any
    data set.

  Example:
    >>> from disentangle_tf import data, pictures
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, num_squares=1, grid_spacing=2
    ... )
    >>> pictures.factor_traversals(squares, columns=4).shape
    (2, 4, 8, 8, 3)
  """
  rows = [
    _row(data, points, columns, fill)
    for points in (
      _through_the_middle(data.factors) if traversals is None else traversals
    )
  ]
  return np.stack(rows)


def _through_the_middle(space: FactorSpace) -> list[np.ndarray]:
  middle = [size // 2 for size in space.sizes]
  return [space.traversal(middle, factor) for factor in range(len(space))]


def _row(
  data: GroundTruthData, points: np.ndarray, columns: int, fill: bool
) -> np.ndarray:
  count = columns if fill else min(columns, len(points))
  shown = np.linspace(0, len(points) - 1, count).round().astype(int)
  images = to_rgb(data.observe(points[shown]).numpy())
  missing = np.ones((columns - count, *images.shape[1:]), np.float32)
  return np.concatenate([images, missing])

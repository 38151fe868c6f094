"""Figures of perceived distances and factor traversals."""

import os
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.data import FactorSpace, GroundTruthData
from disentangle_tf.output_files import whole_output_dir
from disentangle_tf.perceived.distances import mean_distances, true_distances
from disentangle_tf.perceived.perception import Perception
from disentangle_tf.perceived.tables import Published, write_tables
from disentangle_tf.pictures.picture_files import write_pictures
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


def levels_figure(
  rows: Mapping[str, Mapping[str, np.ndarray]],
) -> mpl_figure.Figure:
  """Mean distances, one row per factor: figures 4 and 10 of Michlo et al. 2023.

  Args:
    rows: {factor: {level: distances [traversals, values, values]}}, such as the result
      of `perceived.level_distances`.

  Returns:
    A matplotlib Figure with one column per level.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> levels = {"observations": np.ones([2, 3, 3]), "codes": np.ones([2, 3, 3])}
    >>> figure = pictures.levels_figure({"x": levels})
    >>> [axis.get_title() for axis in figure.axes]
    ['observations', 'codes']
  """
  titles = list(next(iter(rows.values())))
  means = {
    label: [mean_distances(found) for found in levels.values()]
    for label, levels in rows.items()
  }
  return plots.matrix_rows_figure(means, titles)


_MOST_SHOWN = 9  # images of a traversal
_FRAMES = 24  # of a GIF


def perceived_figures(
  found: Perception,
) -> Iterator[tuple[str, mpl_figure.Figure | bytes]]:
  """Figures of what a loss perceives of a data set.

  Args:
    found: the `perceived.Perception`.

  Yields:
    (file name, matplotlib Figure or the bytes of a GIF).

  Example:
    >>> from disentangle_tf import data, perceived, pictures
    >>> squares = data.XYSquares(
    ...   image_size=4, square_size=2, num_squares=1, grid_spacing=2
    ... )
    >>> few = {"num_pairs": 9, "num_curve_pairs": 9, "num_traversals": 2}
    >>> found = perceived.perceive(data=squares, **few)
    >>> [name for name, figure in pictures.perceived_figures(found)]
    ['factor_traversals', 'factor_traversals', 'distance_matrices', 'cumulative']
  """
  data, traversals = found.data, found.traversals
  space = data.factors
  moving = factor_traversals(data, traversals, columns=_FRAMES, fill=True)
  yield "factor_traversals", plots.traversals_to_gif(moving)
  columns = min(max(space.sizes), _MOST_SHOWN)
  shown = factor_traversals(data, traversals, columns=columns)
  yield "factor_traversals", plots.traversals_figure(shown, space.names)
  truth = [true_distances(size) for size in space.sizes]
  rows = {"ground truth": truth, "perceived": found.matrices}
  yield "distance_matrices", plots.matrix_rows_figure(rows, space.names)
  yield "cumulative", plots.cumulative_figure(found.curves)
  if found.worlds:
    row = {space.names[0]: list(found.worlds.values())}
    yield "worlds", plots.matrix_rows_figure(row, list(found.worlds))
  if found.level_distances:
    yield "levels", levels_figure(found.level_distances)


def write_perceived(
  found: Perception,
  output_dir: str | os.PathLike,
  *,
  overwrite: bool = False,
  published: Published | None = None,
) -> None:
  """Write importance.json, agreement.json, tables and figures: all, or nothing.

  Args:
    found: the `perceived.Perception`.
    output_dir: folder for the results.
    overwrite: move an existing `output_dir` aside first.
    published: published numbers, see `perceived.write_tables`.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import data, perceived, pictures
    >>> squares = data.XYSquares(
    ...   image_size=4, square_size=2, num_squares=1, grid_spacing=2
    ... )
    >>> few = {"num_pairs": 9, "num_curve_pairs": 9, "num_traversals": 2}
    >>> found = perceived.perceive(data=squares, **few)
    >>> pictures.write_perceived(found, "perceived")
    >>> sorted(path.name for path in pathlib.Path("perceived").glob("*.json"))
    ['agreement.json', 'importance.json']
  """
  with whole_output_dir(output_dir, overwrite=overwrite) as folder:
    write_tables(found, folder, published=published)
    write_pictures(folder, perceived_figures(found))

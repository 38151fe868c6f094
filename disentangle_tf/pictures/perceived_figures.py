"""The figures of what a loss perceives of a data set, and of a model's distances."""

from collections.abc import Iterator

from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.perceived.distance_matrix import true_distances
from disentangle_tf.perceived.perception import Perception
from disentangle_tf.pictures.factor_traversals import factor_traversals
from disentangle_tf.pictures.levels_figure import levels_figure

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

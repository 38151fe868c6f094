"""The figures of what a loss perceives of a data set, and of a model's distances."""

from disentangle_tf import plots
from disentangle_tf.perceived.distance_matrix import true_distances
from disentangle_tf.pictures.factor_traversals import factor_traversals
from disentangle_tf.pictures.levels_figure import levels_figure

_MOST_SHOWN = 9  # images of a traversal
_FRAMES = 24  # of a GIF


def perceived_figures(found):
  """Yields (file name, matplotlib Figure or the bytes of a GIF).

  Args:
    found: the `perceived.Perception`.
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

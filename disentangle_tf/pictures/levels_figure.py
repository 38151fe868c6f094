"""The figure of distances at all levels of a model: one row per factor."""

from disentangle_tf import plots
from disentangle_tf.perceived.distance_matrix import mean_distances


def levels_figure(rows):
  """Mean distances, one row per factor: figures 4 and 10 of Michlo et al. 2023.

  Args:
    rows: {label: {level: [traversals, values, values]}}, such as
      `perceived.level_distances`.

  Returns:
    A matplotlib Figure.
  """
  titles = list(next(iter(rows.values())))
  means = {
    label: [mean_distances(found) for found in levels.values()]
    for label, levels in rows.items()
  }
  return plots.matrix_rows_figure(means, titles)

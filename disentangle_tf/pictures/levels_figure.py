"""The figure of distances at all levels of a model: one row per factor."""

from collections.abc import Mapping

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.perceived.distance_matrix import mean_distances


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

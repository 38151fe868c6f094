"""Pictures side by side, with names, as a figure."""

from collections.abc import Mapping

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf.plots.panel_grid import Key, PanelGrid


def picture_grid_figure(
  panels: Mapping[Key, np.ndarray],
  *,
  x_labels: Mapping[Key, str] | None = None,
  y_labels: Mapping[Key, str] | None = None,
  caption: str = "",
  size: float = 1.9,
) -> mpl_figure.Figure:
  """Pictures side by side: figures 10 and 11 of Zietlow et al. 2021.

  Args:
    panels: {(row, column) or title: picture [height, width, 3] in [0, 1]}, see
      `PanelGrid`.
    x_labels: {key: what changes across the picture}.
    y_labels: {key: what changes upwards}.
    caption: a line or two below the figure.
    size: width of a picture in inches.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> panels = {"beta_vae": np.zeros([4, 4, 3])}
    >>> figure = plots.picture_grid_figure(panels, x_labels={"beta_vae": "latent 0"})
    >>> figure.axes[0].get_xlabel()
    'latent 0 →'
  """
  grid = PanelGrid(panels, size=(size, size + 0.3), caption=caption, legend_rows=0)
  for key, picture in panels.items():
    axis = grid.axes[key]
    axis.imshow(picture, interpolation="nearest")
    axis.set_xticks([])
    axis.set_yticks([])
    axis.spines[:].set_visible(False)
    if x_labels:
      axis.set_xlabel(f"{x_labels[key]} →", fontsize=7, parse_math=False)
    if y_labels:
      axis.set_ylabel(f"{y_labels[key]} →", fontsize=7, parse_math=False)
  return grid.figure

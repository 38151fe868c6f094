"""Pictures side by side, with names, as a figure."""

from disentangle_tf.plots.panel_grid import PanelGrid


def picture_grid_figure(panels, *, x_labels=None, y_labels=None, caption="", size=1.9):
  """Planes of latents: figures 10 and 11 of Zietlow et al. 2021.

  Args:
    panels: {(row, column) or title: picture [height, width, 3] in [0, 1]}, see
      `PanelGrid`.
    x_labels, y_labels: {key: what runs across the picture, and upwards}.
    caption: a line or two below the figure.
    size: of a picture, in inches.

  Returns:
    A matplotlib Figure.
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

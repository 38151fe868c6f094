"""Every figure, made from plain arrays."""

from disentangle_tf.plots.html_report import html_report
from disentangle_tf.plots.image_grid import image_grid, to_rgb
from disentangle_tf.plots.matrices import matrices_figure
from disentangle_tf.plots.png import figure_to_png, picture_to_png

__all__ = [
  "figure_to_png",
  "html_report",
  "image_grid",
  "matrices_figure",
  "picture_to_png",
  "to_rgb",
]

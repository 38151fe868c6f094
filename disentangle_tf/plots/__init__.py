"""Every figure, made from plain arrays."""

from disentangle_tf.plots.heat_maps import heat_maps_figure
from disentangle_tf.plots.html_report import (
  facts_part,
  html_report,
  pictures_part,
  table_part,
)
from disentangle_tf.plots.image_grid import image_grid, to_rgb
from disentangle_tf.plots.matrices import matrices_figure
from disentangle_tf.plots.png import figure_to_png, picture_to_png

__all__ = [
  "facts_part",
  "figure_to_png",
  "heat_maps_figure",
  "html_report",
  "image_grid",
  "matrices_figure",
  "picture_to_png",
  "pictures_part",
  "table_part",
  "to_rgb",
]

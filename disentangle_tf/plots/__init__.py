"""Figures, pictures and HTML pages, made from plain arrays alone."""

from disentangle_tf.plots.change_rows import change_rows
from disentangle_tf.plots.cumulative import cumulative_figure
from disentangle_tf.plots.curve_grid import curve_grid_figure
from disentangle_tf.plots.density_grid import density_grid_figure
from disentangle_tf.plots.direction_grid import direction_grid_figure
from disentangle_tf.plots.forest import forest_figure
from disentangle_tf.plots.gif import pictures_to_gif, traversals_to_gif
from disentangle_tf.plots.heat_map_grid import heat_map_grid_figure
from disentangle_tf.plots.heat_maps import heat_maps_figure
from disentangle_tf.plots.html_report import (
  facts_part,
  html_report,
  pictures_part,
  table_part,
  texts_part,
)
from disentangle_tf.plots.image_grid import image_grid, to_rgb
from disentangle_tf.plots.matrices import matrices_figure
from disentangle_tf.plots.matrix_rows import matrix_rows_figure
from disentangle_tf.plots.picture_grid import picture_grid_figure
from disentangle_tf.plots.png import figure_to_png, picture_to_png, save_figure
from disentangle_tf.plots.scatter_grid import scatter_grid_figure
from disentangle_tf.plots.score_curves import score_curves_figure
from disentangle_tf.plots.score_strips import score_strips_figure
from disentangle_tf.plots.sortable_table import SORTABLE_SCRIPT, sortable_table_part
from disentangle_tf.plots.split_violins import split_violins_figure
from disentangle_tf.plots.strip_grid import strip_grid_figure
from disentangle_tf.plots.table import table_figure
from disentangle_tf.plots.traversals import traversals_figure

__all__ = [
  "SORTABLE_SCRIPT",
  "change_rows",
  "cumulative_figure",
  "curve_grid_figure",
  "density_grid_figure",
  "direction_grid_figure",
  "facts_part",
  "figure_to_png",
  "forest_figure",
  "heat_map_grid_figure",
  "heat_maps_figure",
  "html_report",
  "image_grid",
  "matrices_figure",
  "matrix_rows_figure",
  "picture_grid_figure",
  "picture_to_png",
  "pictures_part",
  "pictures_to_gif",
  "save_figure",
  "scatter_grid_figure",
  "score_curves_figure",
  "score_strips_figure",
  "sortable_table_part",
  "split_violins_figure",
  "strip_grid_figure",
  "table_figure",
  "table_part",
  "texts_part",
  "to_rgb",
  "traversals_figure",
  "traversals_to_gif",
]

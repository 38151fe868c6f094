"""Figures, pictures and HTML pages, made from plain arrays alone."""

from disentangle_tf.plots.curves import (
  cumulative_figure,
  curve_grid_figure,
  score_curves_figure,
)
from disentangle_tf.plots.encoding import (
  figure_to_png,
  picture_to_png,
  pictures_to_gif,
  save_figure,
  traversals_to_gif,
)
from disentangle_tf.plots.forest import forest_figure
from disentangle_tf.plots.heat_map_grid import heat_map_grid_figure
from disentangle_tf.plots.heat_maps import (
  heat_maps_figure,
  matrices_figure,
  matrix_rows_figure,
)
from disentangle_tf.plots.image_grids import (
  change_rows,
  image_grid,
  picture_grid_figure,
  to_rgb,
  traversals_figure,
)
from disentangle_tf.plots.page import (
  facts_part,
  html_report,
  pictures_part,
  table_part,
  texts_part,
)
from disentangle_tf.plots.planes import density_grid_figure, direction_grid_figure
from disentangle_tf.plots.points import (
  scatter_grid_figure,
  score_strips_figure,
  strip_grid_figure,
)
from disentangle_tf.plots.tables import (
  SORTABLE_SCRIPT,
  sortable_table_part,
  table_figure,
)
from disentangle_tf.plots.violins import split_violins_figure

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

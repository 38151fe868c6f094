"""Total correlation of means against samples: figure 4, Locatello et al. 2019."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import mean_against_sampled
from disentangle_tf.studies.analyses.total_correlation_curves import MEAN, SAMPLED
from disentangle_tf.studies.figures.captions import caption, number_of_points
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def plot_mean_against_sampled(
  table: pd.DataFrame, *, which: str = "last"
) -> dict[str, Figure | str]:
  """One panel per data set, one point per model; above the line the means' is larger.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.

  Returns:
    {"mean_against_sampled": figure}.
  """
  table = one_step(table, which)
  for score in (SAMPLED, MEAN):
    present_scores(table, (score,), "plot_mean_against_sampled")
  points, left_out = mean_against_sampled(table)
  panels = {
    title(data): {title(method): found for method, found in methods.items()}
    for data, methods in points.items()
  }
  zeros = f"{left_out} models with a total correlation of 0 are left out"
  figure = plots.scatter_grid_figure(
    panels,
    x_label="log TC (sampled)",
    y_label="log TC (mean)",
    notes={key: number_of_points(groups) for key, groups in panels.items()},
    identity=True,
    share_x="all",
    share_y="all",
    size=(2.1, 2.0),
    caption=caption(table, (SAMPLED, MEAN), zeros if left_out else ""),
  )
  return {"mean_against_sampled": figure}

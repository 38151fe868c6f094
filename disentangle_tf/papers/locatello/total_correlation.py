"""Figures 2 to 4, 15 and 16: total correlation against strength."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.studies.analyses.distributions import points_by_method
from disentangle_tf.studies.analyses.grids import score_against_strength
from disentangle_tf.studies.analyses.panels import Curve
from disentangle_tf.studies.figures.captions import (
  caption,
  number_of_points,
  present_scores,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import in_paper_order, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


MEAN = "gaussian_total_correlation"
SAMPLED = "sampled_gaussian_total_correlation"


def total_correlation_curves(
  table: pd.DataFrame, *, sampled: bool, without: Collection[str] = ("AnnealedVAE",)
) -> dict[str, dict[str, Curve]]:
  """Median over seeds of the total correlation, in nats, as the strength grows.

  Args:
    table: results table of one step per model.
    sampled: True: of codes sampled from the posterior (figures 2 and 15); False: of
      their means (figures 3 and 16).
    without: methods that are left out; none in figures 15 and 16.

  Returns:
    {data set: {method: `Curve`}}, x the strength 0, 1, ....
  """
  score = SAMPLED if sampled else MEAN
  kept = table[~table["method"].isin(list(without))]
  curves = score_against_strength(kept, scores=(score,))
  return {data: methods for (data, _), methods in curves.items()}


def mean_against_sampled(
  table: pd.DataFrame,
) -> tuple[dict[str, dict[str, np.ndarray]], int]:
  """Logarithms of both total correlations of each model.

  Args:
    table: results table of one step per model.

  Returns:
    ({data set: {method: [models, 2]}} of (log sampled, log mean); the number of models
    that are left out because a total correlation is 0, which has no logarithm).
  """
  wide = pivot(table, [SAMPLED, MEAN]).dropna()
  kept = wide[(wide[SAMPLED] > 0) & (wide[MEAN] > 0)]
  points = {}
  for data in in_paper_order(wide["data"].unique()):
    models = kept[kept["data"] == data]
    x, y = (models[score].transform(np.log) for score in (SAMPLED, MEAN))
    points[data] = points_by_method(models, x, y)
  return points, len(wide) - len(kept)


_ANNEALED = "AnnealedVAE"  # much more sensitive: it has figures of its own


def plot_total_correlation(
  table: pd.DataFrame, *, which: str = "last"
) -> dict[str, Figure | str]:
  """Medians over seeds; one panel per data set, one line per method.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.

  Returns:
    {"total_correlation_sampled" and "total_correlation_mean": figure}, without
    AnnealedVAE; if the table has it, also with it: "..._with_annealed_vae".
  """
  table, figures = one_step(table, which), {}
  present = present_scores(table, (SAMPLED, MEAN), "plot_total_correlation")
  for score in present:
    name = "sampled" if score == SAMPLED else "mean"
    for without in ((_ANNEALED,), ()):
      if not without and _ANNEALED not in set(table["method"]):
        continue
      end = "" if without else "_with_annealed_vae"
      chosen = table[~table["method"].isin(without)]
      panels = total_correlation_curves(
        chosen, sampled=score == SAMPLED, without=without
      )
      figures[f"total_correlation_{name}{end}"] = plots.curve_grid_figure(
        {
          title(data): {title(m): (curve.x, curve.y) for m, curve in curves.items()}
          for data, curves in panels.items()
        },
        x_label="regularisation strength",
        y_label=f"TC ({name}), nats",
        x_ticks=sorted(chosen["strength"].unique()),
        share_y=False,  # pyright: ignore[reportArgumentType]
        size=(2.1, 1.6),
        caption=caption(chosen, [score], "Medians over seeds"),
      )
  return figures


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

"""Matrix or aggregation, what do metrics differ in: Locatello et al. 2020."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import score_correlations
from disentangle_tf.studies.analyses.unified_scores import AGGREGATIONS
from disentangle_tf.studies.figures.captions import caption, number_of
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

_WAYS = {"dci": "DCI", "mig": "MIG", "sap": "SAP", "modularity": "Modularity"}
MATRICES = ("importance", "information", "accuracy")


def plot_unified_scores(
  table: pd.DataFrame,
  *,
  which: str = "last",
  matrices: Sequence[str] = MATRICES,
  aggregations: Sequence[str] = AGGREGATIONS,
) -> dict[str, Figure | str]:
  """Rank correlations over models between all unified scores, one panel per data set.

  Args:
    table: results table with the scores of `analyses.unified_scores`, such as
      "information_mig".
    which: "last" or "best" evaluation of training.
    matrices, aggregations: whose combinations are shown, aggregations together.

  Returns:
    {"unified_scores": figure}.
  """
  table = one_step(table, which)
  names = [f"{matrix}_{way}" for way in aggregations for matrix in matrices]
  names = present_scores(table, names, "plot_unified_scores")
  panels = score_correlations(table, names, names, resamples=0)
  labels = [_label(name) for name in names]
  figure = plots.heat_map_grid_figure(
    {title(data): 100 * panel.values for data, panel in panels.items()},
    labels,
    labels,
    notes={title(data): number_of(panel) for data, panel in panels.items()},
    limits=(-100.0, 100.0),
    label="rank correlation × 100",
    decimals=0,
    caption=caption(
      table, names, "Spearman's correlation × 100 over models; each score "
      "is an aggregation of a matrix",
    ),
  )  # fmt: skip
  return {"unified_scores": figure}


def _label(name: str) -> str:
  matrix, way = name.rsplit("_", 1)
  return f"{_WAYS.get(way, way)} ({matrix})"

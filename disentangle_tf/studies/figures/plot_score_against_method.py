"""What each method attains: figure 7 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import score_against_method
from disentangle_tf.studies.figures.captions import caption, number_of_points
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import METRICS, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def plot_score_against_method(
  table: pd.DataFrame, *, which: str = "last", scores: Sequence[str] = tuple(METRICS)
) -> dict[str, Figure | str]:
  """One column per metric, one row per data set, one strip per method.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    scores: names.

  Returns:
    {"score_against_method_medians": figure of one median over seeds per setting,
    "score_against_method_models": figure of every model}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_against_method")
  figures = {}
  for name, words in (
    ("medians", "Each point is the median over seeds of one setting of the method"),
    ("models", "Each point is a model"),
  ):
    found = score_against_method(table, scores=scores, all_models=name == "models")
    panels = {
      (title(data), title(score)): {title(m): values for m, values in methods.items()}
      for (data, score), methods in found.items()
    }
    figures[f"score_against_method_{name}"] = plots.strip_grid_figure(
      panels,
      notes={key: number_of_points(strips) for key, strips in panels.items()},
      caption=caption(table, scores, words, "Bars are medians"),
    )
  return figures

"""Split violins of scores: figures 6 and 11 of Michlo et al. 2023."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import score_distributions
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import MICHLO_METRICS, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def plot_score_violins(
  table: pd.DataFrame,
  *,
  which: str = "best",
  by: str = "data",
  halves: str = "method",
  names: Mapping[str, tuple[str, str]] | None = None,
  scores: Sequence[str] = tuple(MICHLO_METRICS),
  width: float = 0.9,
) -> dict[str, Figure | str]:
  """Densities of the scores of all models, two halves at each place.

  Args:
    table: results table.
    which: "best" evaluation of training, as in the paper, or "last".
    by, halves: "data", "method" or "setting": what the places and the halves are. Data
      sets and methods in figure 6.
    names: {method: (place, half)} instead of both, where a method's label says two
      things: {"beta-VAE, MSE": ("beta-VAE", "MSE"), ...} gives figure 11.
    scores: names.
    width: of a violin: 0.9, or 0.5 as in figure 11.

  Returns:
    {"score_violins": figure}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_violins")
  if names is not None:
    for method in sorted(table["method"].unique()):
      if method not in names:
        raise UserError(f"plot_score_violins.names has no method {method!r}")
    found = score_distributions(
      table, by=_labels(names, 0), halves=_labels(names, 1), scores=scores
    )
  else:
    found = score_distributions(table, by=by, halves=halves, scores=scores)
  panels = {
    title(score): {
      title(place): {title(half): each.values for half, each in sides.items()}
      for place, sides in places.items()
    }
    for score, places in found.items()
  }
  many = {
    half for places in panels.values() for sides in places.values() for half in sides
  }
  if len(many) > 2:
    raise UserError(
      f"plot_score_violins: a violin has two halves, not {', '.join(sorted(many))}"
    )
  words = "Densities over all models, all else pooled; lines are quartiles, numbers n"
  figure = plots.split_violins_figure(
    panels, width=width, caption=caption(table, scores, words)
  )
  return {"score_violins": figure}


def _labels(
  names: Mapping[str, tuple[str, str]], part: int
) -> Callable[[pd.DataFrame], list[str]]:
  """The function of models that gives one part of their methods' names."""
  return lambda models: [names[method][part] for method in models["method"]]

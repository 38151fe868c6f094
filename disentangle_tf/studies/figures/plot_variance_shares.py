"""Shares of variance that method and strength explain, as figure and table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.markdown import markdown_table
from disentangle_tf.studies.analyses import variance_shares
from disentangle_tf.studies.figures.captions import caption, number_of
from disentangle_tf.studies.figures.interval_tables import interval_cell
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import METRICS, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.analyses import MatrixPanel


def plot_variance_shares(
  table: pd.DataFrame,
  *,
  which: str = "last",
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """How much of each score's variance method, and method with strength, explain.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    scores: names.
    resamples: of the bootstrap over seeds.

  Returns:
    {"variance_shares": figure, "variance_shares.md": with 95 % intervals and the share
    that groups of no effect would have}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_variance_shares")
  found = variance_shares(table, scores=scores, resamples=resamples)
  kinds = {
    "Method": (found.method, found.method_baseline),
    "Method and strength": (found.setting, found.setting_baseline),
  }
  means = ", ".join(
    f"{name.lower()} {100 * panel.values.mean():.0f} %"
    for name, (panel, _) in kinds.items()
    if panel.values.count()
  )
  words = (
    "Share of variance (%)",
    f"Mean over data sets and scores: {means or 'none'}",
  )
  data, names = found.method.rows, [title(score) for score in scores]
  figure = plots.heat_map_grid_figure(
    {name: 100 * panel.values for name, (panel, _) in kinds.items()},
    [title(name) for name in data],
    names,
    notes={
      name: f"{number_of(panel)}\nno effect: {_range(baseline)}"
      for name, (panel, baseline) in kinds.items()
    },
    limits=(0.0, 100.0),
    label="share of variance (%)",
    caption=caption(table, scores, *words),
    decimals=0,
  )
  return {
    "variance_shares": figure,
    "variance_shares.md": _text(kinds, data, names, caption(table, scores, *words)),
  }


def _range(baseline: np.ma.MaskedArray) -> str:
  values = 100 * baseline.compressed()
  if not len(values):
    return "–"
  low, high = values.min(), values.max()
  return f"{low:.1f} %" if np.isclose(low, high) else f"{low:.1f}–{high:.1f} %"


def _text(
  kinds: dict[str, tuple[MatrixPanel, np.ma.MaskedArray]],
  data: Sequence[str],
  names: Sequence[str],
  words: str,
) -> str:
  parts = []
  for kind, (panel, baseline) in kinds.items():
    rows = [
      [
        title(name),
        *(
          interval_cell(panel, i, j, factor=100, decimals=1) for j in range(len(names))
        ),
        _range(baseline[i]),
      ]
      for i, name in enumerate(data)
    ]
    parts.append(f"**{kind}**\n\n{markdown_table(['', *names, 'no effect'], rows)}")
  return "\n\n".join([*parts, words]) + "\n"

"""Does choosing a setting beat chance elsewhere: Table 1 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.markdown import markdown_table
from disentangle_tf.studies.analyses import transfer_of_settings
from disentangle_tf.studies.analyses.transfer_of_settings import COLUMNS, ROWS
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import METRICS
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.analyses import SettingTransfer


def plot_transfer_of_settings(
  table: pd.DataFrame,
  *,
  which: str = "last",
  scores: Sequence[str] = tuple(METRICS),
  draws: int = 0,
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """The probability that a chosen setting does as well as a random one.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    scores: names of the metrics.
    draws: random draws besides the exact value: 10,000 in the paper; 0 for none.
    resamples: of the bootstrap over seeds.

  Returns:
    {"transfer_of_settings": figure, "transfer_of_settings.md": text}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_transfer_of_settings")
  found = transfer_of_settings(table, scores=scores, draws=draws, resamples=resamples)
  cells = [
    [_cell(found, row, column) for column in range(len(COLUMNS))]
    for row in range(len(ROWS))
  ]
  words = caption(
    table,
    scores,
    "Probability that the setting that is best on one data set, metric and seed does "
    "at least as well as a random one on another seed",
    "Exact mean over all draws, 95 % bootstrap interval over seeds"
    + (f", share of {draws:,} draws" if draws else ""),
    f"{found.num_settings} settings, {found.num_models:,} models with every score",
  )
  table_text = markdown_table(
    ["", *COLUMNS],
    [
      [name, *(cell.replace("\n", "<br>") for cell in line)]
      for name, line in zip(ROWS, cells, strict=True)
    ],
  )
  return {
    "transfer_of_settings": plots.table_figure(cells, ROWS, COLUMNS, caption=words),
    "transfer_of_settings.md": f"{table_text}\n\n{words}\n",
  }


def _cell(found: SettingTransfer, row: int, column: int) -> str:
  place = row, column
  if np.ma.getmaskarray(found.exact)[place]:
    return "–"
  lines = [f"{100 * found.exact[place]:.1f} %"]
  if found.low is not None and found.high is not None:
    lines.append(f"[{100 * found.low[place]:.1f}, {100 * found.high[place]:.1f}]")
  if found.drawn is not None:
    lines.append(f"drawn {100 * found.drawn[place]:.1f} %")
  lines.append(f"chance {100 * found.chance[place]:.1f} %")
  return "\n".join(lines)

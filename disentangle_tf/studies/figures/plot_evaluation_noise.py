"""How noisy evaluations are: the extended study of Locatello et al. 2020."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import evaluation_noise
from disentangle_tf.studies.figures.captions import caption, number_of
from disentangle_tf.studies.paper_names import in_paper_order, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

_REPEAT = re.compile(r"repeat_(\d+)_(.+)")


def plot_evaluation_noise(
  table: pd.DataFrame, *, which: str = "last"
) -> dict[str, Figure | str]:
  """Variance of repeated evaluations over that of models, and how rankings agree.

  Repeats of a score are called "repeat_0_mig", "repeat_1_mig", ...: a study's table has
  them where `evaluation.evaluate.repeats` is 2 or more, as gin/metrics/repeated.gin
  sets it.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.

  Returns:
    {"evaluation_noise": figure, "evaluation_agreement": figure}.
  """
  table, repeats = one_step(table, which), {}
  for score in sorted(table["score"].unique()):
    found = _REPEAT.fullmatch(score)
    if found:
      repeats.setdefault(found.group(2), []).append(score)
  repeats = {m: repeats[m] for m in in_paper_order(repeats) if len(repeats[m]) > 1}
  if not repeats:
    raise UserError(
      "plot_evaluation_noise needs scores that were taken twice or more "
      "(repeat_0_mig, repeat_1_mig, ...): set studies.Study.metrics to a file such as "
      "gin/metrics/repeated.gin, which sets evaluation.evaluate.repeats"
    )
  ratios, agreement = evaluation_noise(table, repeats)
  names = [score for scores in repeats.values() for score in scores]
  figures = {}
  for name, panel, label, words, limits in (
    (
      "evaluation_noise", ratios, "noise / models",
      "Variance over repeated evaluations over the variance between models",
      (0.0, max(1.0, float(ratios.values.max()) if ratios.values.count() else 1.0)),
    ),
    (
      "evaluation_agreement", agreement, "rank correlation",
      "Spearman's correlation over models between repeated evaluations, mean of pairs",
      (-1.0, 1.0),
    ),
  ):  # fmt: skip
    figures[name] = plots.heat_map_grid_figure(
      {label: panel.values},
      [title(data) for data in panel.rows],
      [title(metric) for metric in panel.columns],
      notes={label: number_of(panel)},
      limits=limits,
      label=label,
      caption=caption(table, names, words),
    )
  return figures

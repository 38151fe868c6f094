"""How noisy the evaluation of a metric is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.correlations import rank_correlation
from disentangle_tf.studies.analyses.panels import MatrixPanel
from disentangle_tf.studies.figures.captions import caption, number_of
from disentangle_tf.studies.model_scores import pivot, score_values
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import in_paper_order, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def evaluation_noise(
  table: pd.DataFrame, repeats: Mapping[str, Sequence[str]]
) -> tuple[MatrixPanel, MatrixPanel]:
  """Variance of repeated evaluations over that between models; how rankings agree.

  Every metric was taken R times of the same models, with other seeds of evaluation.

  Args:
    table: results table of one step per model.
    repeats: {metric: names of its repeats' scores, two or more}. A model counts for
      a metric if it has all of its repeats.

  Returns:
    (ratios, agreement), two `MatrixPanel` [data sets, metrics]:
    ratios: (mean over models of the variance over repeats) / (variance between models,
      without the share that is noise): 0 for an exact metric. Empty where models differ
      no more than repeats do.
    agreement: mean over pairs of repeats of Spearman's correlation over models.
  """
  data, metrics = tuple(in_paper_order(table["data"].unique())), tuple(repeats)
  shape = (len(data), len(metrics))
  ratios, agreement = np.full(shape, np.nan), np.full(shape, np.nan)
  counts = np.zeros(shape, int)
  for column, metric in enumerate(metrics):
    wide = pivot(table, repeats[metric]).dropna()
    for row, name in enumerate(data):
      values = score_values(wide[wide["data"] == name], repeats[metric])
      counts[row, column] = len(values)
      if len(values) > 1:
        ratios[row, column] = noise_ratio(values)
        agreement[row, column] = _agreement(values)
  return (
    MatrixPanel(data, metrics, np.ma.masked_invalid(ratios), counts),
    MatrixPanel(data, metrics, np.ma.masked_invalid(agreement), counts),
  )


def noise_ratio(values: np.ndarray) -> float:
  """Variance within rows over variance between rows of [models, repeats], or NaN."""
  noise = values.var(axis=1, ddof=1).mean()
  between = values.mean(axis=1).var(ddof=1) - noise / values.shape[1]
  return float(noise / between) if between > 0 else np.nan


def _agreement(values: np.ndarray) -> float:
  pairs = [
    rank_correlation(first, second)
    for first, second in itertools.combinations(values.T, 2)
  ]
  return float(np.mean(pairs))


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

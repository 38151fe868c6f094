"""How many points metrics need: the extended study of Locatello et al. 2020."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import metric_sample_efficiency
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.paper_names import in_paper_order, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.analyses import Curve

_POINTS = re.compile(r"points_(\d+)_(.+)")


def plot_metric_sample_efficiency(
  table: pd.DataFrame, *, which: str = "last", resamples: int = 1_000
) -> dict[str, Figure | str]:
  """Metrics on few points against the same on the most points, over models.

  Scores on n points are called "points_100_mig", "points_1000_mig", ...: give
  measurements that prefix.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    resamples: of the bootstrap over seeds.

  Returns:
    {"metric_sample_efficiency": figure of rank correlations,
    "metric_sample_bias": figure of mean differences}.
  """
  table, sizes = one_step(table, which), {}
  for score in sorted(table["score"].unique()):
    found = _POINTS.fullmatch(score)
    if found:
      sizes.setdefault(found.group(2), {})[int(found.group(1))] = score
  sizes = {metric: sizes[metric] for metric in in_paper_order(sizes)}
  sizes = {metric: names for metric, names in sizes.items() if len(names) > 1}
  if not sizes:
    raise UserError(
      "plot_metric_sample_efficiency needs scores on two numbers of points or more: "
      "points_100_mig, points_1000_mig, ..."
    )
  names = [score for scores in sizes.values() for score in scores.values()]
  rankings, biases = metric_sample_efficiency(table, sizes, resamples=resamples)
  figures = {}
  for name, found, label, words in (
    (
      "metric_sample_efficiency", rankings, "rank correlation",
      "Spearman's correlation over models with the score on the most points; bands are "
      "95 % bootstrap intervals over seeds",
    ),
    (
      "metric_sample_bias", biases, "mean difference",
      "Mean difference from the score on the most points",
    ),
  ):  # fmt: skip
    figures[name] = plots.curve_grid_figure(
      {
        title(data): {title(metric): _curve(curve) for metric, curve in curves.items()}
        for data, curves in found.items()
      },
      x_label="points",
      y_label=label,
      log_x=True,
      share_y="all",
      size=(2.1, 1.7),
      caption=caption(table, names, words),
    )
  return figures


def _curve(curve: Curve) -> tuple[np.ndarray, ...]:
  if curve.low is None or curve.high is None:
    return curve.x, curve.y
  return curve.x, curve.y, curve.low, curve.high

"""How many points a metric needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.correlations import rank_correlation
from disentangle_tf.studies.analyses.intervals import percentile_interval, seed_weights
from disentangle_tf.studies.analyses.panels import Curve
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.model_scores import pivot, score_values
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import in_paper_order, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def metric_sample_efficiency(
  table: pd.DataFrame,
  sizes: Mapping[str, Mapping[int, str]],
  *,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> tuple[dict[str, dict[str, Curve]], dict[str, dict[str, Curve]]]:
  """A metric on n points against the same metric on the most points, over models.

  Args:
    table: results table of one step per model.
    sizes: {metric: {number of points: name of the score}}, two numbers or more. A model
      counts for a metric if it has all of its scores.
    resamples: of the bootstrap over seeds; 0 for none.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    (rankings, biases), each {data set: {metric: `Curve`}}, x the numbers of points but
    the largest: Spearman's correlation with the score on the most points, with its
    bootstrap interval; and the mean difference from it. Numbers of points at which a
    score is constant are left out of the first.
  """
  rng = np.random.default_rng(rng)
  rankings, biases = {}, {}
  for data in in_paper_order(table["data"].unique()):
    rankings[data], biases[data] = {}, {}
    for metric, names in sizes.items():
      points = sorted(names)
      scores = [names[n] for n in points]
      models = pivot(table[table["data"] == data], scores).dropna()
      rankings[data][metric], biases[data][metric] = _curves(
        score_values(models, scores),
        models["seed"].to_numpy(),
        np.array(points),
        resamples,
        rng,
      )
  return rankings, biases


def _curves(
  values: np.ndarray,
  seeds: np.ndarray,
  points: np.ndarray,
  resamples: int,
  rng: np.random.Generator,
) -> tuple[Curve, Curve]:
  """(ranking, bias) of values [models, points]."""
  smaller = points[:-1]
  if not len(values):
    nothing = Curve(x=smaller[:0], y=np.zeros(0), counts=np.zeros(0, int))
    return nothing, nothing
  counts = np.full(len(smaller), len(values))
  bias = Curve(x=smaller, y=(values - values[:, -1:]).mean(axis=0)[:-1], counts=counts)
  columns = values.T[:-1]
  found = np.array([rank_correlation(column, values[:, -1]) for column in columns])
  low = high = None
  there = np.isfinite(found)
  if resamples:
    weights = seed_weights(seeds, resamples=resamples, rng=rng)
    again = [rank_correlation(column, values[:, -1], weights) for column in columns]
    low, high = (bound.data[there] for bound in percentile_interval(np.array(again).T))
  ranking = Curve(
    x=smaller[there], y=found[there], counts=counts[there], low=low, high=high
  )
  return ranking, bias


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

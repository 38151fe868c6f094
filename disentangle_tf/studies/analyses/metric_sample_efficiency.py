"""Number of points that a metric needs: the extended study of Locatello et al. 2020."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.rank_correlation import rank_correlation
from disentangle_tf.studies.analyses.seed_bootstrap import (
  percentile_interval,
  seed_weights,
)
from disentangle_tf.studies.model_scores import pivot, score_values
from disentangle_tf.studies.paper_names import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


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

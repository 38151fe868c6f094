"""Figures 10 and 11: transfer of scores between data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.grids import ScoreGrid
from disentangle_tf.studies.analyses.intervals import (
  draw_seeds,
  percentile_interval,
  seed_median,
)
from disentangle_tf.studies.analyses.panels import MatrixPanel
from disentangle_tf.studies.figures.captions import (
  caption,
  interval_tables,
  number_of,
  number_of_points,
  present_scores,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, in_paper_order, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def transfer_scatter(
  table: pd.DataFrame, *, source: str, scores: Sequence[str] = tuple(METRICS)
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
  """One point per setting: its median score on `source` (x) and on another set (y).

  Args:
    table: results table of one step per model.
    source: name of a data set; dSprites in the paper.
    scores: names.

  Returns:
    {(other data set, score): {method: [settings, 2]}}; each has the settings that both
    data sets have.
  """
  grid = ScoreGrid.of(pivot(table, scores))
  if source not in grid.data:
    raise UserError(
      f"transfer_scatter.source is {source!r}: the table has {', '.join(grid.data)}"
    )
  medians, start = grid.medians, grid.data.index(source)
  methods = np.array([method for method, _ in grid.settings])
  panels = {}
  for column, data in enumerate(grid.data):
    if column == start:
      continue
    for row, score in enumerate(scores):
      pair = np.stack([medians[row, start], medians[row, column]], axis=1)
      both = np.isfinite(pair).all(axis=1)
      panels[data, score] = {
        method: pair[both & (methods == method)]
        for method in dict.fromkeys(methods.tolist())
      }
  return panels


def transfer_between_data(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation between data sets of the settings' median scores.

  Each setting of each method is one point, its score the median over seeds: 36 points
  in the paper. A pair of data sets shares the settings that both have.

  Args:
    table: results table of one step per model.
    scores: names.
    resamples: of the bootstrap over seeds; 0 for none.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    {score: `MatrixPanel` [data sets, data sets]}, symmetric, values in [-1, 1]; its
    counts are of settings.
  """
  grid = ScoreGrid.of(pivot(table, scores))
  drawn = None
  if resamples and len(grid.seeds):
    drawn = draw_seeds(len(grid.seeds), resamples=resamples, rng=rng)
  return {score: _panel(grid, row, drawn) for row, score in enumerate(scores)}


def _panel(grid: ScoreGrid, row: int, drawn: np.ndarray | None) -> MatrixPanel:
  values, counts = _correlations(grid.medians[row][None])
  low = high = None
  if drawn is not None:
    medians = [seed_median(grid.values[row][..., each]) for each in drawn]
    low, high = percentile_interval(_correlations(np.array(medians))[0])
  return MatrixPanel(
    grid.data, grid.data, np.ma.masked_invalid(values[0]), counts[0], low, high
  )


def _correlations(medians: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
  """Correlations of medians [resamples, data sets, settings], NaN where missing.

  Returns:
    (correlations, numbers of settings), two [resamples, data sets, data sets].
  """
  # A rank is the number of values below, and half the number of equal ones.
  below = (medians[..., None, :] < medians[..., None]).astype(float)
  below += 0.5 * (medians[..., None, :] == medians[..., None])
  num_resamples, size, _ = medians.shape
  values = np.full((num_resamples, size, size), np.nan)
  counts = np.zeros(values.shape, int)
  for first, second in zip(*np.triu_indices(size), strict=True):
    both = np.all(
      np.isfinite(medians[:, [first, second]]), axis=1
    )  # [resamples, settings]
    ranks = [_centred_ranks(below[:, each], both) for each in (first, second)]
    lengths = np.prod([np.square(each).sum(axis=1) for each in ranks], axis=0)
    found = np.full(num_resamples, np.nan)
    product = (ranks[0] * ranks[1]).sum(axis=1)
    np.divide(product, np.sqrt(lengths), out=found, where=lengths > 0)
    for place in ((first, second), (second, first)):
      values[:, *place] = np.clip(found, -1.0, 1.0)
      counts[:, *place] = both.sum(axis=1)
  return values, counts


def _centred_ranks(below: np.ndarray, chosen: np.ndarray) -> np.ndarray:
  """Ranks among the chosen settings minus their mean; 0 for all others."""
  ranks = np.einsum("rij,rj->ri", below, chosen.astype(float))
  return np.where(chosen, ranks - chosen.sum(axis=1, keepdims=True) / 2, 0.0)


def plot_transfer_between_data(
  table: pd.DataFrame,
  *,
  which: str = "last",
  scores: Sequence[str] = tuple(METRICS),
  source: str | None = None,
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """Rank correlations of settings between data sets, and one set against the others.

  Args:
    table: results table of two data sets or more.
    which: "last" or "best" evaluation of training.
    scores: names.
    source: data set of the x axes; the first in the papers' order by default.
    resamples: of the bootstrap over seeds.

  Returns:
    {"transfer_between_data": figure, "transfer_scatter": figure,
    "transfer_between_data.md": with 95 % intervals}.
  """
  table = one_step(table, which)
  data = in_paper_order(table["data"].unique())
  if len(data) < 2:
    raise UserError(f"plot_transfer_between_data needs two data sets, got {data}")
  scores = present_scores(table, scores, "plot_transfer_between_data")
  source = source or data[0]
  panels = transfer_between_data(table, scores=scores, resamples=resamples)
  names = [title(name) for name in data]
  words = "Spearman's correlation × 100 over settings, of their medians over seeds"
  return {
    "transfer_between_data": plots.heat_map_grid_figure(
      {title(score): 100 * panel.values for score, panel in panels.items()},
      names,
      names,
      notes={title(score): number_of(panel) for score, panel in panels.items()},
      limits=(-100.0, 100.0),
      label="rank correlation × 100",
      decimals=0,
      caption=caption(table, scores, f"{words}; n counts settings"),
    ),
    "transfer_scatter": _scatter(table, source, scores),
    "transfer_between_data.md": interval_tables(
      panels,
      caption(table, scores, f"{words}, with 95 % bootstrap intervals over seeds"),
    ),
  }


def _scatter(table: pd.DataFrame, source: str, scores: Sequence[str]) -> Figure:
  found = transfer_scatter(table, source=source, scores=scores)
  panels = {
    (title(data), title(score)): {title(m): points for m, points in groups.items()}
    for (data, score), groups in found.items()
  }
  words = f"Medians over seeds, one point per setting: on {title(source)} (x) and on "
  return plots.scatter_grid_figure(
    panels,
    x_label=title(source),
    notes={key: number_of_points(groups) for key, groups in panels.items()},
    share_y="col",
    caption=caption(table, scores, f"{words}another data set (y)"),
    size=(1.08, 1.05),
  )

"""How much of a score's variance methods and settings explain."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

from disentangle_tf import plots
from disentangle_tf.studies.analyses.intervals import percentile_interval, seed_weights
from disentangle_tf.studies.analyses.panels import MatrixPanel
from disentangle_tf.studies.figures.captions import (
  caption,
  interval_cell,
  number_of,
  present_scores,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, in_paper_order, title
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


_ROUNDING = 1e-12  # relative to the squared range: below it all values are the same


@dataclasses.dataclass(frozen=True)
class VarianceShares:
  """Shares of variance of each score on each data set.

  Attributes:
    method: `MatrixPanel` [data sets, scores], share that the method explains.
    setting: the same, method and strength together; the rest is the seed.
    method_baseline, setting_baseline: masked arrays [data sets, scores], the share
      that groups of no effect would explain on average: (groups - 1) / (models - 1).
  """

  method: MatrixPanel
  setting: MatrixPanel
  method_baseline: np.ma.MaskedArray
  setting_baseline: np.ma.MaskedArray


def variance_shares(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> VarianceShares:
  """Shares of variance eta^2, the R^2 of a regression on dummy variables.

  1 - (sum of squares within groups) / (total sum of squares), in [0, 1]; groups are
  the methods, and the settings of each method. A score that is the same for all models
  has no variance, and an empty cell.

  Args:
    table: results table of one step per model.
    scores: names.
    resamples: of the bootstrap over seeds; 0 for none. A resample holds some seeds
      twice, which makes groups look more alike than they are: with few seeds (below 20
      or so) the interval lies too high.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    `VarianceShares`.
  """
  wide, data = pivot(table, scores), tuple(in_paper_order(table["data"].unique()))
  rng = np.random.default_rng(rng)
  shape = (2, len(data), len(scores))  # by method, by setting
  shares, baselines = np.full(shape, np.nan), np.full(shape, np.nan)
  counts = np.zeros(shape[1:], int)
  drawn = np.full((resamples, *shape), np.nan)
  for row, name in enumerate(data):
    for column, score in enumerate(scores):
      models = wide[wide["data"] == name].dropna(subset=[score])
      values = models[score].to_numpy()
      counts[row, column] = len(values)
      weights = None
      if resamples and len(values):
        weights = seed_weights(models["seed"].to_numpy(), resamples=resamples, rng=rng)
      by_setting = models.groupby(["method", "setting"]).ngroup()
      for kind, names in enumerate((models["method"], by_setting)):
        groups = names.to_numpy()
        place = kind, row, column
        shares[place] = share_of_variance(values, groups)
        if len(values) > 1:
          baselines[place] = (len(np.unique(groups)) - 1) / (len(values) - 1)
        if weights is not None:
          drawn[:, kind, row, column] = share_of_variance(values, groups, weights)
  low, high = percentile_interval(drawn) if resamples else ((None, None),) * 2
  method, setting = (
    MatrixPanel(
      data, tuple(scores), np.ma.masked_invalid(shares[kind]), counts, low[kind],
      high[kind],
    )
    for kind in range(2)
  )  # fmt: skip
  return VarianceShares(
    method,
    setting,
    np.ma.masked_invalid(baselines[0]),
    np.ma.masked_invalid(baselines[1]),
  )


@overload
def share_of_variance(
  values: np.ndarray, groups: np.ndarray, weights: None = None
) -> float: ...
@overload
def share_of_variance(
  values: np.ndarray, groups: np.ndarray, weights: np.ndarray
) -> np.ndarray: ...
def share_of_variance(
  values: np.ndarray, groups: np.ndarray, weights: np.ndarray | None = None
) -> float | np.ndarray:
  """eta^2 of values [models] in groups [models]: a float, NaN if all are the same.

  Args:
    values: [models].
    groups: [models], name or number of each model's group.
    weights: [resamples, models], number of times each model occurs: gives [resamples].
  """
  chosen = np.ones((1, len(values))) if weights is None else weights.astype(float)
  scale = np.ptp(values) ** 2 if len(values) else 0.0
  values = values - values.mean() if len(values) else values  # less rounding
  names, place = np.unique(groups, return_inverse=True)
  member = (place[:, None] == np.arange(len(names))).astype(float)  # [models, groups]
  sizes, sums = chosen @ member, (chosen * values) @ member
  squares = chosen @ np.square(values)
  total = squares - sums.sum(axis=1) ** 2 / np.maximum(sizes.sum(axis=1), 1)
  within = squares - (sums**2 / np.maximum(sizes, 1)).sum(axis=1)
  found = np.full(len(chosen), np.nan)
  np.divide(within, total, out=found, where=total > _ROUNDING * scale)
  found = np.clip(1 - found, 0.0, 1.0)
  return float(found[0]) if weights is None else found


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

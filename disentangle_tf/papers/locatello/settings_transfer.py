"""Table 1: do settings transfer between data sets and metrics?"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.studies.analyses.grids import ScoreGrid
from disentangle_tf.studies.analyses.intervals import draw_seeds, percentile_interval
from disentangle_tf.studies.figures.captions import caption, present_scores
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, merit
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


ROWS = ("other metric", "same metric")
COLUMNS = ("other data set", "same data set")
_MOST_ROUNDS = 100  # of draws, until enough were possible


@dataclasses.dataclass(frozen=True)
class SettingTransfer:
  """Probabilities [other metric, same metric] x [other data set, same data set].

  Attributes:
    exact: masked array [2, 2], the mean over all draws that are possible.
    low, high: masked arrays [2, 2], 95 % bootstrap interval over seeds; None if none
      was asked for.
    drawn: masked array [2, 2], the share of successes in random draws, an estimate of
      `exact`; None if none were asked for.
    chance: masked array [2, 2], the probability if settings had no effect: above a
      half, because the random setting may be the chosen one.
    num_draws: [2, 2], number of possible draws.
    num_models: number of models with every score.
    num_settings: number of their settings.
  """

  exact: np.ma.MaskedArray
  low: np.ma.MaskedArray | None
  high: np.ma.MaskedArray | None
  drawn: np.ma.MaskedArray | None
  chance: np.ma.MaskedArray
  num_draws: np.ndarray
  num_models: int
  num_settings: int


def transfer_of_settings(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  draws: int = 0,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> SettingTransfer:
  """How often the best setting of one place does as well as a random one elsewhere.

  A data set d, a metric m and a seed s are drawn; t* is the setting with the best
  score there, the first of ties in the canonical order. It is compared with a random
  setting r, which may be t* too, on d' (the same or another data set), by m' (the same
  or another metric), both at one other seed s'. Ties are successes: without any effect
  the probability is (T + 1) / (2 T) for T settings, 51.39 % for 36.

  A setting counts at (d, s) if that model has every score; d' and s' range over what
  there is, r over the settings that count at (d', s'). Cells for which nothing is
  possible, such as those of other data sets when there is one only, are empty.

  Args:
    table: results table of one step per model.
    scores: names of the metrics.
    draws: number of random draws to take as well: 10,000 in the paper; 0 for none.
    resamples: of the bootstrap over seeds; 0 for none. Copies of a seed count as the
      same seed, which never meets itself.
    rng: seed or `numpy.random.Generator` of both.

  Returns:
    `SettingTransfer`.

  Cost: about a second for 7 data sets, 6 metrics, 36 settings and 50 seeds.
  """
  rng = np.random.default_rng(rng)
  grid = ScoreGrid.of(pivot(table, scores).dropna())
  signs = np.array([merit(score, 1.0) for score in scores])
  # [data sets, scores, settings, seeds], higher is better.
  values = grid.values.swapaxes(0, 1) * signs[:, None, None]
  valid = np.all(np.isfinite(grid.values), axis=0)  # [data sets, settings, seeds]
  chosen = np.where(valid[:, None], values, -np.inf).argmax(axis=2)  # [d, m, s]
  sums, counts, chances = _sums(_wins(values, valid), valid, chosen)
  low = high = drawn = None
  if resamples and len(grid.seeds):
    weights = _pair_weights(len(grid.seeds), resamples, rng)
    low, high = percentile_interval(_ratio(sums, counts, weights))
  if draws and len(grid.seeds):
    drawn = _draw(values, valid, chosen, draws, rng)
  return SettingTransfer(
    exact=np.ma.masked_invalid(_ratio(sums, counts)),
    low=low,
    high=high,
    drawn=drawn,
    chance=np.ma.masked_invalid(_ratio(chances, counts)),
    num_draws=counts.sum(axis=(-1, -2)),
    num_models=int(valid.sum()),
    num_settings=len(grid.settings),
  )


def _wins(values: np.ndarray, valid: np.ndarray) -> np.ndarray:
  """Share of settings that each setting is no worse than: [d, m, t, s]."""
  sizes = valid.sum(axis=1)[:, None, None]
  better = np.zeros(values.shape)
  for rival in range(values.shape[2]):
    better += values >= values[:, :, [rival]]  # never true of a missing score
  return np.divide(better, sizes, out=np.zeros_like(better), where=sizes > 0)


def _sums(wins: np.ndarray, valid: np.ndarray, chosen: np.ndarray) -> np.ndarray:
  """Sums of wins, numbers and chances of draws: three [2, 2, seeds, other seeds]."""
  num_data, num_scores, _, num_seeds = wins.shape
  found = np.zeros((3, 2, 2, num_seeds, num_seeds))
  others = ~np.eye(num_seeds, dtype=bool)
  sizes = np.maximum(valid.sum(axis=1), 1)  # [d, s]
  for data, score in np.ndindex(num_data, num_scores):
    best = chosen[data, score]
    starts = np.any(valid[data], axis=0)[:, None]
    for data_2 in range(num_data):
      possible = valid[data_2, best] & others & starts  # [s, s']
      chance = possible * (sizes[data_2] + 1) / (2 * sizes[data_2])
      for score_2 in range(num_scores):
        cell = int(score_2 == score), int(data_2 == data)
        found[(0, *cell)] += wins[data_2, score_2, best] * possible
        found[(1, *cell)] += possible
        found[(2, *cell)] += chance
  return found


def _ratio(
  sums: np.ndarray, counts: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
  """Sums over counts [2, 2]; with weights [resamples, s, s']: [resamples, 2, 2]."""
  if weights is None:
    sums, counts = sums.sum(axis=(-1, -2)), counts.sum(axis=(-1, -2))
  else:
    sums, counts = (np.einsum("rst,ijst->rij", weights, a) for a in (sums, counts))
  return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def _pair_weights(
  num_seeds: int, resamples: int, rng: np.random.Generator
) -> np.ndarray:
  """Number of times each pair of seeds occurs: [resamples, seeds, seeds]."""
  drawn = draw_seeds(num_seeds, resamples=resamples, rng=rng)
  counts = (drawn[:, :, None] == np.arange(num_seeds)).sum(axis=1)
  return (counts[:, :, None] * counts[:, None, :]).astype(float)


def _draw(
  values: np.ndarray,
  valid: np.ndarray,
  chosen: np.ndarray,
  draws: int,
  rng: np.random.Generator,
) -> np.ma.MaskedArray:
  """Share of successes among the possible random draws: [2, 2]."""
  shares = np.full((2, 2), np.nan)
  for same in np.ndindex(2, 2):  # metric, data set
    successes = np.zeros(0, bool)
    for _ in range(_MOST_ROUNDS):
      more = _successes(values, valid, chosen, same, draws, rng)
      successes = np.concatenate([successes, more])[:draws]
      if len(successes) == draws:
        shares[same] = successes.mean()
        break
  return np.ma.masked_invalid(shares)


def _successes(
  values: np.ndarray,
  valid: np.ndarray,
  chosen: np.ndarray,
  same: tuple[int, ...],
  draws: int,
  rng: np.random.Generator,
) -> np.ndarray:
  """Whether each possible one of random draws is a success."""
  num_data, num_scores, _, num_seeds = values.shape
  same_score, same_data = same
  data, score, seed = (
    rng.integers(most, size=draws) for most in (num_data, num_scores, num_seeds)
  )
  data_2, score_2, seed_2 = (
    first if stays or most == 1 else (first + rng.integers(1, most, draws)) % most
    for first, most, stays in (
      (data, num_data, same_data),
      (score, num_scores, same_score),
      (seed, num_seeds, False),
    )
  )
  best = chosen[data, score, seed]
  possible = (
    ((data_2 == data) == same_data)
    & ((score_2 == score) == same_score)
    & (seed_2 != seed)
    & valid[data, best, seed]
    & valid[data_2, best, seed_2]
  )
  # The rival is a model that exists, so that a place with few models counts as much as
  # in the exact mean.
  present = np.argsort(~valid, axis=1, kind="stable")  # their places come first
  counts = np.maximum(valid.sum(axis=1), 1)[data_2, seed_2]
  rival = present[data_2, rng.integers(counts), seed_2]
  success = (
    values[data_2, score_2, best, seed_2] >= values[data_2, score_2, rival, seed_2]
  )
  return success[possible]


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

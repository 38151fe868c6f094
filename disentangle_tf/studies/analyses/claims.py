"""Claims decided by a rule: contrasts between groups of models, and a verdict."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.analyses.intervals import LEVELS, draw_seeds
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.titles import lower_is_better

if TYPE_CHECKING:
  import pandas as pd

_COLUMNS = ("method", "data", "setting")


@dataclasses.dataclass(frozen=True)
class Contrast:
  """A weighted sum of the scores of groups, averaged over seeds.

  Attributes:
    value: the average; None if no seed is complete.
    low, high: ends of its bootstrap 95 % interval over seeds.
    seeds: number of seeds that have every model of every group.
    incomplete: number of seeds that lack one.
  """

  value: float | None
  low: float | None
  high: float | None
  seeds: int
  incomplete: int

  @property
  def direction(self) -> int:
    """1 if the interval lies above 0, -1 if below, otherwise 0."""
    if self.low is None or self.high is None:
      return 0
    return int(self.low > 0) - int(self.high < 0)


def seed_contrast(
  table: pd.DataFrame,
  groups: Sequence[tuple[float, Mapping[str, str]]],
  *,
  score: str,
  resamples: int = 10_000,
  rng: int | np.random.Generator = 0,
) -> Contrast:
  """A contrast between groups of models that share their seeds.

  For each seed, a group's score is the best one over its settings, so that every group
  chooses its setting alike. The seed's contrast is the weighted sum over the groups.

  Args:
    table: results table of one step per model.
    groups: [(weight, {column: value})] of the columns method, data and setting; a
      setting is one part of the text, such as "BETA=0.1". A difference of two groups
      has the weights 1 and -1, a slope over x = 1, 2, 3 the weights -0.5, 0, 0.5.
    score: name.
    resamples: of the bootstrap, which draws seeds with all their models.
    rng: seed or `numpy.random.Generator`.

  Returns:
    `Contrast`. A seed that lacks a model of a group does not count.
  """
  models = pivot(table, [score]).dropna()
  seeds = set(table["seed"].tolist())
  complete, sums = set(seeds), {}
  for weight, wanted in groups:
    by_seed = models[_members(models, wanted)].groupby("seed")[score]
    best = by_seed.min() if lower_is_better(score) else by_seed.max()
    counts = by_seed.size()
    complete &= set(counts.index[counts == counts.max()].tolist())
    for seed, value in best.items():
      sums[seed] = sums.get(seed, 0.0) + weight * value
  incomplete = len(seeds - complete)
  if not complete:
    return Contrast(None, None, None, 0, incomplete)
  each = np.array([sums[seed] for seed in sorted(complete)])
  drawn = each[draw_seeds(len(each), resamples=resamples, rng=rng)].mean(axis=1)
  low, high = np.percentile(drawn, LEVELS).tolist()
  return Contrast(float(each.mean()), low, high, len(each), incomplete)


def verdict(contrasts: Collection[Contrast], *, least_seeds: int = 5) -> str:
  """Verdict on a claim that all contrasts are above 0.

  It is "shown" if every interval lies above 0, "contradicted" if any lies below 0, and
  otherwise "not shown". With fewer complete seeds than `least_seeds` it is "not shown".

  Args:
    contrasts: [`Contrast`], at least one.
    least_seeds: number of seeds.
  """
  if min(contrast.seeds for contrast in contrasts) < least_seeds:
    return "not shown"
  directions = [contrast.direction for contrast in contrasts]
  if min(directions) < 0:
    return "contradicted"
  return "shown" if min(directions) > 0 else "not shown"


def _members(models: pd.DataFrame, wanted: Mapping[str, str]) -> np.ndarray:
  """[models] bool: those of a group."""
  chosen = np.ones(len(models), bool)
  for column, value in wanted.items():
    if column not in _COLUMNS:
      raise UserError(
        f"a group of models has no {column!r}{suggest(column, _COLUMNS)}: it is chosen "
        f"by {', '.join(_COLUMNS)}"
      )
    found = models[column].tolist()
    if column == "setting":
      parts = [[part.strip() for part in text.split(",")] for text in found]
      chosen &= np.array([value in each for each in parts], bool)
    else:
      chosen &= np.array([each == value for each in found], bool)
  return chosen

"""Means, medians and bootstrap intervals over seeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.panels import Curve
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.titles import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_TEXT = re.compile(r"\'[^\']*\'|\"[^\"]*\"")
_NAME = re.compile(r"([\w.]+)\s*=\s*")


def swept_value(setting: str, name: str) -> float:
  """The number of `name` in a text such as "BETA=4.0, data.XYSquares.grid_spacing=3".

  Args:
    setting: text of all swept settings of a model.
    name: of one of them, in full, or its last parts ("grid_spacing") if no other
      setting ends alike.
  """
  setting_alone = _TEXT.sub("''", setting)  # quoted text may contain anything
  found = {match.group(1): match.end() for match in _NAME.finditer(setting_alone)}
  alike = [name] if name in found else [n for n in found if n.endswith(f".{name}")]
  if len(alike) > 1:
    raise UserError(
      f"the setting {setting!r} has several {name}: name one of {', '.join(alike)} in "
      "full"
    )
  number = _NUMBER.match(setting_alone, found[alike[0]]) if alike else None
  if not number:
    raise UserError(f"the setting {setting!r} has no number {name}=...")
  return float(number.group())


def t_interval(values: ArrayLike, *, level: float = 0.95) -> tuple[float, float | None]:
  """(mean, half width) of the interval mean +- t s / sqrt(n), with s of n - 1.

  Args:
    values: [n] finite numbers, at least one.
    level: of confidence.

  Returns:
    Two floats; the half width of a single value is None.

  Reference: Mathieu et al. 2019, figures 2 and 4.
  """
  values = np.asarray(values, float)
  n = len(values)
  if n < 2:
    return float(values[0]), None
  quantile = stats.t.ppf((1 + level) / 2, n - 1)
  return float(values.mean()), float(quantile * values.std(ddof=1) / np.sqrt(n))


def check_strengths(models: pd.DataFrame) -> None:
  """Check that each strength of a method stands for one setting.

  A strength is the place of a setting in the sweep of one plan. In a table of several
  plans one place may hold several settings, which must not be pooled.

  Args:
    models: frame of `pivot`.

  Raises:
    UserError: if a strength has several settings, or a setting several strengths.
  """
  pairs = models[["method", "strength", "setting"]].drop_duplicates()
  for column in ("strength", "setting"):
    twice = pairs[pairs.duplicated(["method", column], keep=False)]
    if len(twice):
      same = twice[twice[column] == twice[column].iloc[0]]
      method = same["method"].iloc[0]
      (_, first), (_, other) = same[same["method"] == method].head(2).iterrows()
      raise UserError(
        f"strengths of {method} do not compare: {first['setting']!r} has strength "
        f"{first['strength']}, {other['setting']!r} has {other['strength']}; the table "
        "holds several plans: collect their runs as one study, or draw against the "
        "name of a swept setting"
      )


def seed_median(values: np.ndarray) -> np.ndarray:
  """Median over the last axis without NaN: [...], NaN where all values are NaN.

  With an even number it is the mean of the middle two. Much faster than
  `numpy.nanmedian` on many short rows, such as those of a bootstrap.
  """
  values = np.sort(values, axis=-1)  # NaN come last
  counts = np.isfinite(values).sum(axis=-1)
  lower = np.maximum(counts - 1, 0) // 2
  pair = np.stack([lower, np.minimum(counts // 2, values.shape[-1] - 1)], axis=-1)
  return np.take_along_axis(values, pair, axis=-1).mean(axis=-1)


LEVELS = (2.5, 97.5)  # percentiles of the interval


def draw_seeds(
  num_seeds: int, *, resamples: int, rng: int | np.random.Generator
) -> np.ndarray:
  """Places of drawn seeds: [resamples, seeds]."""
  return np.random.default_rng(rng).integers(num_seeds, size=(resamples, num_seeds))


def seed_weights(
  seeds: np.ndarray, *, resamples: int, rng: int | np.random.Generator
) -> np.ndarray:
  """Number of times each model occurs in each resample: [resamples, models].

  Args:
    seeds: [models].
    resamples: number of times all seeds are drawn, with replacement.
    rng: seed or `numpy.random.Generator`.
  """
  distinct, place = np.unique(seeds, return_inverse=True)
  if not len(distinct):
    return np.zeros((resamples, 0), int)
  drawn = draw_seeds(len(distinct), resamples=resamples, rng=rng)
  counts = (drawn[:, :, None] == np.arange(len(distinct))).sum(axis=1)
  return counts[:, place]


def percentile_interval(
  values: np.ndarray,
) -> tuple[np.ma.MaskedArray, np.ma.MaskedArray]:
  """(low, high) of resampled values [resamples, ...]: masked arrays [...].

  Resamples in which a value is NaN do not count; where all are, the interval is masked.
  """
  empty = ~np.isfinite(values).any(axis=0)
  filled = np.where(empty, 0.0, values)
  low, high = np.nanpercentile(filled, LEVELS, axis=0)
  return (
    np.ma.array(np.where(empty, np.nan, low), mask=empty),
    np.ma.array(np.where(empty, np.nan, high), mask=empty),
  )


def mean_intervals(
  table: pd.DataFrame, *, scores: Sequence[str], over: str | None = None
) -> dict[tuple[str, str], dict[str, Curve]]:
  """Mean over models of each score at each value, with its 95 % t-interval.

  Args:
    table: results table of one step per model.
    scores: names.
    over: name of the swept setting of the x axis, see `swept_value`; None: the
      strength. Models that differ in anything else are pooled.

  Returns:
    {(data set, score): {method: `Curve`}}, x the values in ascending order. The
    interval of a single model is its value.
  """
  wide = pivot(table, scores)
  methods = in_paper_order(wide["method"].unique())
  panels = {}
  for data, of_data in split_models(wide, "data").items():
    for score in scores:
      models = of_data.dropna(subset=[score])
      places = x_values(models, over)
      panels[data, score] = {
        method: interval_curve(places[chosen], models.loc[chosen, score])
        for method in methods
        for chosen in [(models["method"] == method).to_numpy()]
      }
  return panels


def x_values(models: pd.DataFrame, over: str | None) -> np.ndarray:
  """[models] of the x axis: values of the setting `over`, or strengths if None."""
  if over is None:
    check_strengths(models)
    return models["strength"].to_numpy(float)
  return np.array([swept_value(text, over) for text in models["setting"]], float)


def interval_curve(
  places: np.ndarray,
  values: pd.Series,
  interval: Callable[[np.ndarray], tuple[float, float | None]] = t_interval,
) -> Curve:
  """`Curve` of means and intervals of values [models] at places [models].

  Args:
    places: [models] of the x axis.
    values: [models] of the y axis.
    interval: function of values that gives their mean, and the half width of the
      interval around it, None if unknown.
  """
  x = np.unique(places)
  groups = [values[places == place].to_numpy() for place in x]
  found = [interval(group) for group in groups]
  means = np.array([mean for mean, _ in found], float)
  widths = np.array([width or 0.0 for _, width in found], float)
  return Curve(
    x=x,
    y=means,
    counts=np.array([len(group) for group in groups], int),
    low=means - widths,
    high=means + widths,
  )

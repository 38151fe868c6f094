"""Claims decided by a rule: contrasts between groups of models, and a verdict."""

import dataclasses

import numpy as np

from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.analyses.seed_bootstrap import LEVELS, draw_seeds
from disentangle_tf.studies.score_direction import lower_is_better

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
  def direction(self):
    """1 if the interval lies above 0, -1 if below, otherwise 0."""
    if not self.seeds:
      return 0
    return int(self.low > 0) - int(self.high < 0)


def seed_contrast(table, groups, *, score, resamples=10_000, rng=0):
  """A contrast between groups of models that share their seeds.

  For each seed, a group's score is the best one over its settings, so that every group
  chooses its setting alike. The seed's contrast is the weighted sum over the groups.

  Args:
    table: `ResultsTable` of one step per model.
    groups: [(weight, {column: value})] of the columns method, data and setting; a
      setting is one part of the text, such as "BETA=0.1". A difference of two groups
      has the weights 1 and -1, a slope over x = 1, 2, 3 the weights -0.5, 0, 0.5.
    score: name.
    resamples: of the bootstrap, which draws seeds with all their models.
    rng: seed or `numpy.random.Generator`.

  Returns:
    `Contrast`. A seed that lacks a model of a group does not count.

  Example:
    >>> rows = [{"run": f"{m}/{s}", "method": m, "data": "", "setting": "BETA=1",
    ...          "strength": 0, "seed": s, "step": 1, "score": "mig", "value": v}
    ...         for m, values in {"a": (0.1, 0.2), "b": (0.4, 0.5)}.items()
    ...         for s, v in enumerate(values)]
    >>> groups = [(1, {"method": "b"}), (-1, {"method": "a"})]
    >>> found = seed_contrast(ResultsTable.from_rows(rows), groups, score="mig")
    >>> round(found.value, 3), found.seeds
    (0.3, 2)
  """
  models, values = table.pivot([score]).with_score(score)
  best = np.minimum if lower_is_better(score) else np.maximum
  sums, seeds = {}, set(table.column("seed").tolist())
  complete = set(seeds)
  for weight, wanted in groups:
    of_group = _members(models, wanted)
    counts, scores = {}, {}
    for seed, value in zip(
      models.seed[of_group].tolist(), values[of_group].tolist(), strict=True
    ):
      counts[seed] = counts.get(seed, 0) + 1
      scores[seed] = best(scores[seed], value) if seed in scores else value
    whole = max(counts.values(), default=0)
    complete &= {seed for seed, count in counts.items() if count == whole}
    for seed, value in scores.items():
      sums[seed] = sums.get(seed, 0.0) + weight * value
  incomplete = len(seeds - complete)
  if not complete:
    return Contrast(None, None, None, 0, incomplete)
  each = np.array([sums[seed] for seed in sorted(complete)])
  drawn = each[draw_seeds(len(each), resamples=resamples, rng=rng)].mean(axis=1)
  low, high = np.percentile(drawn, LEVELS).tolist()
  return Contrast(float(each.mean()), low, high, len(each), incomplete)


def verdict(contrasts, *, least_seeds=5):
  """What contrasts say of a claim that all of them are above 0.

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


def _members(models, wanted):
  """[models] bool: those of a group; a `UserError` if it asks for another column."""
  chosen = np.ones(len(models), bool)
  for column, value in wanted.items():
    if column not in _COLUMNS:
      raise UserError(
        f"a group of models has no {column!r}{suggest(column, _COLUMNS)}: it is chosen "
        f"by {', '.join(_COLUMNS)}"
      )
    found = getattr(models, column)
    if column == "setting":
      parts = [[part.strip() for part in text.split(",")] for text in found.tolist()]
      chosen &= np.array([value in each for each in parts], bool)
    else:
      chosen &= found == value
  return chosen

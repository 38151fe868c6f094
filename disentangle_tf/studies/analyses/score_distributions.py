"""Scores of many models and their quartiles: Michlo et al. 2023, figures 6 and 11."""

import dataclasses

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.paper_names import MICHLO_METRICS, in_paper_order

_COLUMNS = ("data", "method", "setting")


@dataclasses.dataclass(frozen=True)
class Distribution:
  """Scores of some models.

  Attributes:
    values: [models], in the canonical order of models; never empty.
    quartiles: [3], by NumPy's linear rule.
  """

  values: np.ndarray
  quartiles: np.ndarray


def score_distributions(table, *, by, halves, scores=tuple(MICHLO_METRICS)):
  """Scores of all models that share a place on the x axis and a half of the violin.

  All else is pooled: figure 6 pools strengths of regularisation and numbers of latents,
  figure 11 both betas and all repeats. Their scores are the best of training:
  `ResultsTable.which("best")`.

  Args:
    table: `ResultsTable` of one step per model.
    by: column of the x axis: "data" in figure 6, "method" in figure 11; or a function
      of `ModelScores` that gives [models] text.
    halves: column of the halves: "method" in figure 6; or a function, such as one that
      tells losses apart.
    scores: names.

  Returns:
    {score: {place: {half: `Distribution`}}}, halves in alphabetical order; where no
    model is, there is no half.
  """
  wide = table.pivot(scores)
  panels = {}
  for score in scores:
    models, values = wide.with_score(score)
    places, sides = _labels(models, by), _labels(models, halves)
    panels[score] = {
      place: {
        side: _distribution(values[(places == place) & (sides == side)])
        for side in sorted(set(sides[places == place].tolist()))
      }
      for place in in_paper_order(set(places.tolist()))
    }
  return panels


def quartiles(values):
  """The three quartiles of values [models], by NumPy's linear rule: [3]."""
  return np.percentile(values, [25, 50, 75])


def _distribution(values):
  return Distribution(values, quartiles(values))


def _labels(models, column):
  if callable(column):
    return np.asarray(column(models), str)
  if column not in _COLUMNS:
    raise UserError(
      f"score_distributions: {column!r} is not one of {', '.join(_COLUMNS)}"
    )
  return getattr(models, column)

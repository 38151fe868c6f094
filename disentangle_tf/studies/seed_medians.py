"""Scores over seeds, one row per run and setting."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf.studies.plan import setting_text

if TYPE_CHECKING:
  from disentangle_tf.studies.finished_run import FinishedRun


def seed_medians(
  finished: Sequence[FinishedRun],
) -> list[tuple[FinishedRun, int, dict[str, float]]]:
  """The median over seeds of every score.

  Args:
    finished: [`FinishedRun`].

  Returns:
    [(first of the models that differ in their seed alone, how many there are, {score:
    median of those that have it})], in the order of the models.
  """
  groups = {}
  for each in finished:
    groups.setdefault((each.run, setting_text(each)), []).append(each)
  return [(models[0], len(models), _medians(models)) for models in groups.values()]


def _medians(models: Sequence[FinishedRun]) -> dict[str, float]:
  names = dict.fromkeys(name for each in models for name in each.scores)
  return {
    name: statistics.median(each.scores[name] for each in models if name in each.scores)
    for name in names
  }

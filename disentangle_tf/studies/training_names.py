"""Names of scores taken during training in a study's table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from disentangle_tf.studies.run_scores import comparable

if TYPE_CHECKING:
  from disentangle_tf.studies.run_scores import Evaluation, RunScores


class TrainingNames:
  """Names of scores taken during training, as the table shows them.

  A score has the name that the final evaluation gives it only if it was computed with
  the same settings. Otherwise the settings that differ follow its name: "mig
  (num_points=2000)". So all rows of one name come from one estimator. Scores without
  recorded settings keep their names.

  Args:
    runs: all [`RunScores`] of the table.
  """

  def __init__(self, runs: Iterable[RunScores]) -> None:
    self._variants = {}  # {measurement: its settings} that no final evaluation takes
    for run in runs:
      for each in run.during:
        for name, settings in each.settings.items():
          if name not in run.final.settings:
            text = json.dumps(comparable(settings), sort_keys=True)
            self._variants.setdefault(name, {})[text] = comparable(settings)

  def name(self, run: RunScores, evaluation: Evaluation, score: str) -> str:
    """The name of one score.

    Args:
      run: a `RunScores`.
      evaluation: the `Evaluation` of it, taken during training.
      score: the name there.
    """
    measurement = evaluation.measured.get(score)
    if measurement is None:
      return score
    taken, final = evaluation.settings[measurement], run.final.settings.get(measurement)
    if final is not None:
      different = [name for name in taken if final.get(name) != taken[name]]
    elif score in run.final.scores:  # another measurement has a score of this name
      return f"{score} ({measurement})"
    else:
      variants = list(self._variants[measurement].values())
      different = [
        name
        for name in comparable(taken)
        if any(each.get(name) != taken[name] for each in variants)
      ]
    return _with_settings(score, {name: taken[name] for name in different})


def plain_name(score: str) -> str:
  """The name of a score without the settings that follow it."""
  return score.partition(" (")[0]


def _with_settings(score: str, settings: Mapping[str, object]) -> str:
  words = [f"{name}={_text(value)}" for name, value in sorted(settings.items())]
  return f"{score} ({', '.join(words)})" if words else score


def _text(value: object) -> str:
  if isinstance(value, dict):
    return value.get("class", json.dumps(value, sort_keys=True))
  return " ".join(map(str, value)) if isinstance(value, list) else str(value)

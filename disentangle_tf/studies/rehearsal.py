"""Rehearsals: plots are called with made-up scores before anything is trained."""

from __future__ import annotations

import collections
import pathlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from disentangle_tf.studies.finished_run import FinishedRun, run_label
from disentangle_tf.studies.plan import setting_text
from disentangle_tf.studies.results_table import COLUMNS, results_table
from disentangle_tf.studies.write_results import asked_for

if TYPE_CHECKING:
  import pandas as pd

  from disentangle_tf.studies.plan import Plan


def rehearse(
  plot: Callable[..., dict], plans: Sequence[Plan], score_names: Sequence[str] | None
) -> dict:
  """Call `plot` with made-up scores, so that its errors appear before any training.

  A plot that opens models is executed up to that point.

  Args:
    plot: function of `finished` or `table`, see `Study`.
    plans: [`Plan`].
    score_names: names that the scores will have; None if unknown.

  Returns:
    What the plot returns; {} if it could not be executed to its end.

  Example:
    >>> from disentangle_tf import studies
    >>> def train(beta, seed):
    ...   ...
    >>> plans = studies.Study({"beta-VAE": train}, sweep={"beta": [1, 4]}).plans()
    >>> def plot_count(table):
    ...   return {"count.md": f"{len(table)} scores"}
    >>> studies.rehearse(plot_count, plans, ["mig"])
    {'count.md': '2 scores'}
  """
  scores = _AnyScore() if score_names is None else dict.fromkeys(score_names, 0.5)
  offered = {
    "finished": [
      _PlannedRun(run_label(plan), plan.settings, plan.seed, pathlib.Path(), scores)
      for plan in plans
    ]
  }
  asked = asked_for(plot, {**offered, "table": None})
  if "table" in asked:
    if score_names is None:
      return {}
    asked["table"] = _made_up_table(plans, score_names)
  try:
    return plot(**asked)
  except _NotTrainedError:
    return {}


def _made_up_table(plans: Sequence[Plan], score_names: Sequence[str]) -> pd.DataFrame:
  """A table with different values, so that all statistics are defined."""
  rows = []
  for number, plan in enumerate(plans):
    of_run = (plan.run, plan.method, plan.data, setting_text(plan), plan.strength)
    for place, name in enumerate(score_names):
      value = (1 + number * 7919 + place * 104729) % 9973 / 9973
      rows.append((*of_run, plan.seed, 1, name, value))
  columns = zip(*rows, strict=True)
  return results_table(
    dict(zip(COLUMNS, map(list, columns), strict=True)), planned=len(plans)
  )


class _NotTrainedError(Exception):
  """A plot opens a model that does not exist yet."""


class _PlannedRun(FinishedRun):
  """A planned run, which has no export yet."""

  def __getattribute__(self, name: str) -> Any:
    if name == "export":
      raise _NotTrainedError
    return super().__getattribute__(name)


class _AnyScore(collections.UserDict):
  """Scores of any name."""

  def __contains__(self, name: object) -> bool:
    return True

  def __getitem__(self, name: str) -> float:
    return 0.5

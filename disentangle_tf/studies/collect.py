"""Collecting the scores of a study into one tidy table on disk."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.given_runs import GivenRun, read_given_run
from disentangle_tf.studies.plan import Plan, setting_text
from disentangle_tf.studies.results_files import (
  KEY_LENGTH,
  Results,
  write_results_files,
)
from disentangle_tf.studies.results_table import COLUMNS, results_table
from disentangle_tf.studies.run_scores import (
  RunScores,
  check_same_settings,
  read_run_scores,
)
from disentangle_tf.studies.study_versions import compared_versions
from disentangle_tf.studies.training_names import TrainingNames

if TYPE_CHECKING:
  import pandas as pd

_THREADS = 8  # a shared disk takes milliseconds per file


def collect(study: StudyFolder, plans: Sequence[Plan]) -> pd.DataFrame:
  """Write results.parquet and results.csv of all runs that are done.

  The table has one row per run, step and score; see `results_table`. It is written
  anew from the runs' files each time, so that it never holds a run that was deleted, a
  score that was taken again, or a strength of a sweep that has grown since.

  Args:
    study: folder of the study.
    plans: all runs of the study.

  Returns:
    The results table, which knows that all `plans` should be there.
  """
  results = study_results(study, plans)
  write_results_files(study.path, results)
  return results.table


def study_results(study: StudyFolder, plans: Sequence[Plan]) -> Results:
  """The `Results` that `collect` writes.

  Args:
    study: folder of the study.
    plans: all runs of the study.
  """
  import pandas as pd

  with concurrent.futures.ThreadPoolExecutor(_THREADS) as pool:
    done = [run for run in pool.map(lambda plan: _read(study, plan), plans) if run]
  runs = [run for run in done if isinstance(run, RunScores)]
  given = [run for run in done if isinstance(run, GivenRun)]
  check_same_settings(runs)
  study.versions.check_runs(done)
  names = TrainingNames(runs)
  rows = [row for run in runs for row in _rows(run.plan, _scores(run, names))]
  rows += [row for run in given for row in _rows(run.plan, run.rows)]
  keys = {run.plan.run: _key(study, run.plan) for run in runs}
  keys |= {run.plan.run: run.key for run in given}
  return Results(
    results_table(pd.DataFrame(rows, columns=pd.Index(COLUMNS)), planned=len(plans)),
    {run: key for run, key in keys.items() if key},
    {run.plan.run: compared_versions(run.versions) for run in done if run.versions},
  )


def _read(study: StudyFolder, plan: Plan) -> RunScores | GivenRun | None:
  """Scores of a run; None if it is not done."""
  folder = study.run(plan)
  if folder.state != "done":
    return None
  folder.check_key(plan)
  if folder.is_given:
    return read_given_run(folder, plan)
  return read_run_scores(folder, plan)


def _key(study: StudyFolder, plan: Plan) -> str | None:
  """First digits of the key with which a run was made; None if not recorded."""
  known = study.run(plan).read_plan()
  return known["key"][:KEY_LENGTH] if known else None


def _scores(run: RunScores, names: TrainingNames) -> list[tuple[int, str, float]]:
  """[(step, score, value)]; of two with the same name and step the final one counts."""
  found = {}
  for each in run.during:
    for score, value in each.scores.items():
      found[each.step, names.name(run, each, score)] = float(value)
  for score, value in run.final.scores.items():
    found[run.final.step, score] = float(value)
  return [(step, score, value) for (step, score), value in found.items()]


def _rows(
  plan: Plan, scores: Sequence[tuple[int, str, float]]
) -> list[tuple[str | int | float, ...]]:
  """Rows of one run, values in the order of `COLUMNS`."""
  of_run = (plan.run, plan.method, plan.data, setting_text(plan), plan.strength)
  return [(*of_run, plan.seed, *each) for each in scores]

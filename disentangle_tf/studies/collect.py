"""Collecting the scores of a study into one tidy table on disk."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf.output_files import whole_file
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import Plan, setting_text
from disentangle_tf.studies.results_table import COLUMNS, results_table
from disentangle_tf.studies.run_scores import (
  RunScores,
  check_same_settings,
  read_run_scores,
)
from disentangle_tf.studies.training_names import TrainingNames

if TYPE_CHECKING:
  import pandas as pd

RESULTS = "results.parquet"
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
  import pandas as pd

  with concurrent.futures.ThreadPoolExecutor(_THREADS) as pool:
    runs = [run for run in pool.map(lambda plan: _read(study, plan), plans) if run]
  check_same_settings(runs)
  study.versions.check_runs(runs)
  names = TrainingNames(runs)
  rows = [row for run in runs for row in _rows(run, names)]
  table = pd.DataFrame(rows, columns=pd.Index(COLUMNS))
  _write(study.path, table.sort_values(["run", "step", "score"]))
  return results_table(table, planned=len(plans))


def write_table(folder: str | os.PathLike[str], table: pd.DataFrame) -> None:
  """Write a results table to a folder, in the format of `collect`.

  Args:
    folder: folder of results.parquet and results.csv.
    table: results table.
  """
  _write(pathlib.Path(folder), table)


def _write(folder: pathlib.Path, frame: pd.DataFrame) -> None:
  """Write results.csv, and results.parquet with the steps that were taken."""
  import pyarrow as pa
  from pyarrow import csv, parquet

  # pyarrow writes both files: pandas formats floats differently.
  kinds = {"strength": pa.int64(), "seed": pa.int64(), "step": pa.int64()}
  kinds |= {"value": pa.float64()}
  schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
  table = pa.Table.from_pandas(frame, schema, preserve_index=False)
  taken = frame.attrs.get("taken")
  table = table.replace_schema_metadata({"taken": taken} if taken else {})
  with whole_file(folder / "results.csv") as temporary:
    csv.write_csv(table, temporary)
  with whole_file(folder / RESULTS) as temporary:
    parquet.write_table(table, temporary)


def read_results(
  folder: str | os.PathLike[str], *, planned: int | None = None
) -> pd.DataFrame:
  """The results table that `collect` or `write_table` wrote to a folder.

  Args:
    folder: the folder.
    planned: number of models the study will have, if known.
  """
  from pyarrow import parquet

  table = parquet.read_table(pathlib.Path(folder) / RESULTS)
  taken = (table.schema.metadata or {}).get(b"taken")
  return results_table(
    table.to_pandas(), taken=taken.decode() if taken else None, planned=planned
  )


def _read(study: StudyFolder, plan: Plan) -> RunScores | None:
  """Scores of a run; None if it is not done."""
  folder = study.run(plan)
  if folder.state != "done":
    return None
  folder.check_key(plan)
  return read_run_scores(folder, plan)


def _rows(run: RunScores, names: TrainingNames) -> list[tuple[str | int | float, ...]]:
  """Rows of one run, values in the order of `COLUMNS`.

  Of two scores with the same name and step the final one counts.
  """
  plan, found = run.plan, {}
  for each in run.during:
    for score, value in each.scores.items():
      found[each.step, names.name(run, each, score)] = float(value)
  for score, value in run.final.scores.items():
    found[run.final.step, score] = float(value)
  of_run = (plan.run, plan.method, plan.data, setting_text(plan), plan.strength)
  return [
    (*of_run, plan.seed, step, score, value) for (step, score), value in found.items()
  ]

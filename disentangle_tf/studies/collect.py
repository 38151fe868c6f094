"""Collecting the scores of a study into one tidy table on disk."""

import concurrent.futures
import pathlib

from disentangle_tf.output_files import whole_file
from disentangle_tf.studies.plan import setting_text
from disentangle_tf.studies.results_table import COLUMNS, ResultsTable
from disentangle_tf.studies.run_scores import check_same_settings, read_run_scores
from disentangle_tf.studies.training_names import TrainingNames

RESULTS = "results.parquet"
_THREADS = 8  # a shared disk takes milliseconds per file


def collect(study, plans):
  """Writes results.parquet and results.csv of all runs that are done.

  One row per run, step and score, as `ResultsTable` has them; readable by pandas,
  polars and DuckDB. The table is made anew from the runs' files each time, so that it
  never holds a run that is gone, a score that was taken again, or a place in a sweep
  that has grown since.

  Args:
    study: the `StudyFolder`.
    plans: its [`Plan`].

  Returns:
    How many runs are in the table.
  """
  import pyarrow as pa

  with concurrent.futures.ThreadPoolExecutor(_THREADS) as pool:
    runs = [run for run in pool.map(lambda plan: _read(study, plan), plans) if run]
  check_same_settings(runs)
  study.versions.check_runs(runs)
  names = TrainingNames(runs)
  columns = {name: [] for name in COLUMNS}
  for run in runs:
    _add_rows(columns, run, names)
  types = {"strength": pa.int64(), "seed": pa.int64(), "step": pa.int64()}
  types |= {"value": pa.float64()}
  schema = pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])
  table = pa.table(
    [
      pa.array(column, kind)
      for column, kind in zip(columns.values(), schema.types, strict=True)
    ],
    schema=schema,
  )
  order = [(name, "ascending") for name in ("run", "step", "score")]
  _write(study.path, table.sort_by(order), {})
  return len(runs)


def write_table(folder, table):
  """Writes a `ResultsTable` of models that no study here has, as `collect` would.

  Args:
    folder: where to.
    table: `ResultsTable`.
  """
  import pyarrow as pa

  facts = {"taken": table.taken} if table.taken else {}
  _write(pathlib.Path(folder), pa.table(table.columns), facts)


def _write(folder, table, facts):
  """Writes results.csv, and results.parquet with {name: text} that it tells."""
  from pyarrow import csv, parquet

  with whole_file(folder / "results.csv") as temporary:
    csv.write_csv(table, temporary)
  with whole_file(folder / RESULTS) as temporary:
    parquet.write_table(table.replace_schema_metadata(facts), temporary)


def read_results(folder, *, planned=None):
  """The `ResultsTable` that `collect` or `write_table` wrote to a folder.

  Args:
    folder: the folder.
    planned: how many models the study will have, if that is known.
  """
  from pyarrow import parquet

  table = parquet.read_table(pathlib.Path(folder) / RESULTS)
  columns = {name: table[name].to_numpy() for name in COLUMNS}
  taken = (table.schema.metadata or {}).get(b"taken")
  return ResultsTable(columns, taken=taken and taken.decode(), planned=planned)


def _read(study, plan):
  """`RunScores` of a run; None if it is not done."""
  folder = study.run(plan)
  if folder.state != "done":
    return None
  folder.check_key(plan)
  return read_run_scores(folder, plan)


def _add_rows(columns, run, names):
  """Appends the rows of a `RunScores` to {name: [rows]}.

  Of two scores of one name and step the final one counts.
  """
  plan, found = run.plan, {}
  for each in run.during:
    for score, value in each.scores.items():
      found[each.step, names.name(run, each, score)] = float(value)
  for score, value in run.final.scores.items():
    found[run.final.step, score] = float(value)
  of_run = (plan.run, plan.method, plan.data, setting_text(plan), plan.strength)
  for name, value in zip(COLUMNS, (*of_run, plan.seed), strict=False):
    columns[name] += [value] * len(found)
  columns["step"] += [step for step, _ in found]
  columns["score"] += [score for _, score in found]
  columns["value"] += found.values()

"""Collecting the scores of a study into one tidy table on disk."""

import concurrent.futures
import json
import pathlib

from disentangle_tf.output_files import whole_file
from disentangle_tf.studies.plan import setting_text
from disentangle_tf.studies.results_table import COLUMNS, ResultsTable

RESULTS = "results.parquet"
TRAINING_SCORES = "scores.jsonl"
_THREADS = 8  # a shared disk takes milliseconds per file


def collect(study, plans):
  """Writes results.parquet and results.csv of all runs that are done.

  One row per run, step and score, as `ResultsTable` has them; readable by pandas,
  polars and DuckDB. Runs that an earlier call collected are not read again.

  Args:
    study: the `StudyFolder`.
    plans: its [`Plan`].

  Returns:
    How many runs are in the table.
  """
  import pyarrow as pa
  import pyarrow.compute as pc
  from pyarrow import parquet

  path = study.path / RESULTS
  known, collected = None, set()
  if path.exists():
    known = parquet.read_table(path)
    keys = json.loads(known.schema.metadata[b"keys"])
    collected = {plan.run for plan in plans if keys.get(plan.run) == plan.key}
    known = known.filter(
      pc.is_in(known["run"], pa.array(sorted(collected), pa.string()))
    )
  done = [
    plan for plan in plans if plan.run in collected or study.run(plan).state == "done"
  ]
  new = [plan for plan in done if plan.run not in collected]
  with concurrent.futures.ThreadPoolExecutor(_THREADS) as pool:
    rows = [row for found in pool.map(lambda p: _rows(study, p), new) for row in found]
  types = {"strength": pa.int64(), "seed": pa.int64(), "step": pa.int64()}
  types |= {"value": pa.float64()}
  schema = pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])
  columns = [[row[place] for row in rows] for place in range(len(COLUMNS))]
  table = pa.table(
    [
      pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)
    ],
    schema=schema,
  )
  if known is not None:
    table = pa.concat_tables([known.replace_schema_metadata(None), table])
  order = [(name, "ascending") for name in ("run", "step", "score")]
  keys = json.dumps({plan.run: plan.key for plan in done}, sort_keys=True)
  _write(study.path, table.sort_by(order), {"keys": keys})
  return len(done)


def write_table(folder, table):
  """Writes a `ResultsTable` of models that no study here has, as `collect` would.

  Args:
    folder: where to.
    table: `ResultsTable`.
  """
  import pyarrow as pa

  facts = {"keys": "{}"} | ({"taken": table.taken} if table.taken else {})
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


def _rows(study, plan):
  """Rows of a run: scores taken on the way, and those of the finished model."""
  folder = study.run(plan)
  of_run = (plan.run, plan.method, plan.data, setting_text(plan), plan.strength)
  of_run = (*of_run, plan.seed)
  final = json.loads(folder.scores.read_text(encoding="utf-8"))
  last = final["model"]["step"] or 0
  taken = {last: final["scores"]}
  for line in _lines(folder.path / TRAINING_SCORES):
    found = json.loads(line)
    if found["step"] != last:
      taken[found["step"]] = found["scores"]
  return [
    (*of_run, step, name, float(value))
    for step, scores in taken.items()
    for name, value in scores.items()
  ]


def _lines(path: pathlib.Path):
  return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

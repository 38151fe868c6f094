"""results.parquet: reading, writing and merging the results tables of studies."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import whole_file
from disentangle_tf.studies.results_table import COLUMNS, concatenate, results_table

if TYPE_CHECKING:
  import pandas as pd
  import pyarrow as pa

RESULTS = "results.parquet"
KEY_LENGTH = 16  # digits of a run's key: 64 bits
_ORIGIN = ("key", "versions")  # columns of results.parquet that no analysis reads
_WHOLE = ("strength", "seed", "step")
_MOST_ROWS = 100_000_000


@dataclasses.dataclass(frozen=True)
class Results:
  """A results table, and what is known of the origin of its runs.

  Attributes:
    table: results table.
    keys: {run: first digits of its key}; runs of earlier versions have none.
    versions: {run: {package: version} that computed its scores}, likewise.
  """

  table: pd.DataFrame
  keys: Mapping[str, str] = dataclasses.field(default_factory=dict)
  versions: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)

  @property
  def runs(self) -> set[str]:
    """Names of the runs."""
    return set(self.table["run"])


def write_results_files(folder: str | os.PathLike[str], results: Results) -> None:
  """Write results.parquet and results.csv.

  Both have the columns of a results table; results.parquet also has `key` and
  `versions`, empty where unknown.

  Args:
    folder: of the files.
    results: `Results`.
  """
  import pyarrow as pa
  from pyarrow import csv, parquet

  # pyarrow writes both files: pandas formats floats differently.
  kinds = {name: pa.int64() for name in _WHOLE} | {"value": pa.float64()}
  schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
  frame = results.table.sort_values(["run", "step", "score"])
  table = pa.Table.from_pandas(frame, schema, preserve_index=False)
  taken = results.table.attrs.get("taken")
  table = table.replace_schema_metadata({"taken": taken} if taken else {})
  folder = pathlib.Path(folder)
  with whole_file(folder / "results.csv") as temporary:
    csv.write_csv(table, temporary)
  texts = {run: json.dumps(known) for run, known in results.versions.items()}
  for name, of_run in zip(_ORIGIN, (results.keys, texts), strict=True):
    column = pa.array(map(of_run.get, frame["run"]), pa.string())
    table = table.append_column(name, column)
  with whole_file(folder / RESULTS) as temporary:
    parquet.write_table(table, temporary)


def read_results(
  folder: str | os.PathLike[str], *, planned: int | None = None
) -> pd.DataFrame:
  """The results table of a folder with results.parquet.

  Args:
    folder: the folder.
    planned: number of models the study will have, if known.
  """
  table = read_results_file(folder).table
  table.attrs["planned"] = planned
  return table


def read_results_file(path: str | os.PathLike[str]) -> Results:
  """`Results` of a results.parquet, which may come from another machine.

  Args:
    path: the file, or its folder.

  Raises:
    UserError: if it is no such file, or its values are not those of a results table.
  """
  path = pathlib.Path(path)
  path = path / RESULTS if path.is_dir() else path
  read = _read_parquet(path)
  taken = (read.schema.metadata or {}).get(b"taken")
  frame = read.to_pandas(ignore_metadata=True)
  try:
    table = results_table(
      frame[list(COLUMNS)], taken=_one_of_steps(taken) if taken else None
    )
    keys, versions = _origins(frame)
  except UserError as error:
    raise UserError(f"{path} is no results table: {error}") from None
  return Results(table, keys, versions)


def _read_parquet(path: pathlib.Path) -> pa.Table:
  """The columns of results.parquet, with checked types."""
  import pyarrow as pa
  from pyarrow import parquet

  try:
    file = parquet.ParquetFile(path)
    schema = file.schema_arrow
    lacking = [name for name in COLUMNS if name not in schema.names]
    if lacking:
      raise UserError(f"{path} is no results table: it lacks {', '.join(lacking)}")
    if file.metadata.num_rows > _MOST_ROWS:
      raise UserError(f"{path} has more than {_MOST_ROWS:,} rows")
    for name in COLUMNS:
      if not _is_expected(schema.field(name).type, name):
        kind = schema.field(name).type
        raise UserError(f"{path} is no results table: {name} is of type {kind}")
    known = [name for name in _ORIGIN if name in schema.names]
    read = file.read([*COLUMNS, *known])
  except (OSError, pa.ArrowException) as error:
    reason = str(error).splitlines()[0]
    raise UserError(f"{path} cannot be read as parquet: {reason}") from None
  for name in COLUMNS:
    if read.column(name).null_count:
      raise UserError(f"{path} is no results table: {name} lacks values")
  return read


def _is_expected(kind: pa.DataType, name: str) -> bool:
  """Whether a column of this type may hold the values of `name`."""
  from pyarrow import types

  if name == "value":
    return types.is_floating(kind) or types.is_integer(kind)
  if name in _WHOLE:
    return types.is_integer(kind)
  return types.is_string(kind) or types.is_large_string(kind)


def _one_of_steps(taken: bytes) -> str:
  if taken not in (b"best", b"last"):
    raise UserError(f"it holds the steps {taken[:20]!r}, must be best or last")
  return taken.decode()


def _origins(frame: pd.DataFrame) -> tuple[dict[str, str], dict[str, Any]]:
  """(keys, versions) of `Results`."""
  found = []
  for name in _ORIGIN:
    known = frame.dropna(subset=[name]) if name in frame else frame[:0]
    firsts = known.drop_duplicates("run") if len(known) else known
    texts = [] if not len(known) else firsts[name].map(str).tolist()
    found.append(dict(zip(firsts["run"].tolist(), texts, strict=True)))
  keys, texts = found
  try:
    versions = {run: dict(json.loads(text)) for run, text in texts.items()}
  except (ValueError, TypeError, RecursionError):
    raise UserError("its column versions is damaged") from None
  return keys, versions


def merge_results(files: Mapping[str, Results]) -> Results:
  """Join tables whose runs are those of one study, such as tables of several machines.

  Args:
    files: {name of the file: `Results`}; all hold the same steps.

  Raises:
    UserError: if a run of two files has different scores, settings or keys.
  """
  merged, sources = Results(results_table([])), dict[str, str]()
  for name, results in files.items():
    both = merged.runs & results.runs
    _check_equal(merged, results, both, sources, name)
    new = results.table[~results.table["run"].isin(both)]
    merged = Results(
      concatenate([merged.table, new]) if sources else results.table,
      {**merged.keys, **results.keys},
      {**merged.versions, **results.versions},
    )
    sources |= dict.fromkeys(results.runs - both, name)
  return merged


def _check_equal(
  known: Results, new: Results, runs: set[str], sources: Mapping[str, str], name: str
) -> None:
  columns = [column for column in COLUMNS if column != "strength"]  # of one sweep
  rows = [_rows_by_run(each.table, runs, columns) for each in (known, new)]
  for run in sorted(runs):
    keys = {each.keys[run] for each in (known, new) if run in each.keys}
    if rows[0][run] != rows[1][run] or len(keys) > 1:
      what = "keys" if len(keys) > 1 else "scores"
      raise UserError(
        f"run {run!r} has different {what} in {sources[run]} and {name}: name only the "
        "file whose run you trust"
      )


def _rows_by_run(
  table: pd.DataFrame, runs: set[str], columns: Sequence[str]
) -> dict[str, list[tuple]]:
  """{run: its rows in canonical order}."""
  chosen = table[table["run"].isin(runs)][list(columns)]
  return {
    str(run): sorted(map(tuple, rows.to_numpy().tolist()))
    for run, rows in chosen.groupby("run")
  }

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from study_tables import row_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.results_files import (
  Results,
  merge_results,
  read_results_file,
  write_results_files,
)
from disentangle_tf.studies.results_table import COLUMNS, one_step, results_table

VERSIONS = {"keras": "3.1", "numpy": "2.3"}


def _table(*seeds, value=0.5, strength=1):
  return results_table(
    [
      row_of("cars", "a", strength, seed, "mig", value + seed / 10, setting="BETA=2.0")
      for seed in seeds
    ]
  )


def _run(seed):
  return f"cars/a/BETA=2.0/seed_{seed}"


def test_origins_come_back_for_the_runs_that_have_them(tmp_path):
  keys, versions = {_run(0): "0123456789abcdef"}, {_run(0): VERSIONS}
  write_results_files(tmp_path, Results(_table(0, 1), keys, versions))
  for path in (tmp_path, tmp_path / "results.parquet"):
    found = read_results_file(path)
    assert found.keys == keys and found.versions == versions
    assert found.runs == {_run(0), _run(1)}
    assert found.table.equals(_table(0, 1)) and list(found.table) == list(COLUMNS)


def test_runs_of_several_files_join_and_equal_runs_count_once():
  first = Results(_table(0, 1), {_run(1): "aa"})
  second = Results(_table(2, 1, strength=0), {_run(2): "bb"}, {_run(2): VERSIONS})
  merged = merge_results({"A": first, "B": second})
  assert merged.table["seed"].tolist() == [2, 0, 1]  # the order of their strengths
  assert merged.keys == {_run(1): "aa", _run(2): "bb"}
  assert merged.versions == {_run(2): VERSIONS}
  alone = merge_results({"A": first})
  assert alone.table.equals(first.table)


@pytest.mark.parametrize(
  ("other", "what"),
  [
    (Results(_table(1, value=0.6)), "scores"),
    (Results(_table(1), {_run(1): "bb"}), "keys"),
    (Results(_table(1).assign(setting="BETA=3")), "scores"),
  ],
)
def test_a_run_that_differs_between_files_is_refused(other, what):
  first = Results(_table(0, 1), {_run(1): "aa"})
  words = f"run '{_run(1)}' has different {what} in A and C: "
  with pytest.raises(UserError, match=words):
    merge_results({"A": first, "B": Results(_table(2)), "C": other})


def test_best_and_last_scores_do_not_merge():
  tables = [one_step(_table(seed), which) for seed, which in ((0, "best"), (1, "last"))]
  with pytest.raises(UserError, match="best and last scores"):
    merge_results({"A": Results(tables[0]), "B": Results(tables[1])})


def _columns(**changed):
  columns = {name: [value] for name, value in row_of("c", "a", 0, 0, "mig", 1).items()}
  return pa.table({**columns, **changed})


@pytest.mark.parametrize(
  ("content", "message"),
  [
    (b"", "cannot be read as parquet"),
    (b"PAR1 and nothing else PAR1", "cannot be read as parquet"),
    (_columns().drop_columns(["seed", "run"]), "it lacks run, seed"),
    (_columns(seed=[0.5]), "seed is of type double"),
    (_columns(value=["1"]), "value is of type string"),
    (_columns(method=[3]), "method is of type int64"),
    (_columns(value=[float("nan")]), "lacks values|not finite"),
    (_columns(run=pa.array([None], pa.string())), "run lacks values"),
    (_columns(versions=["{"]), "its column versions is damaged"),
    (_columns(versions=["[" * 100_000]), "its column versions is damaged"),
    (_columns(versions=["3"]), "its column versions is damaged"),
    (_columns().replace_schema_metadata({"taken": "x" * 99}), "must be best or last"),
  ],
)
def test_files_of_strangers_cost_one_line(content, message, tmp_path):
  path = tmp_path / "results.parquet"
  if isinstance(content, bytes):
    path.write_bytes(content)
  else:
    parquet.write_table(content, path)
  with pytest.raises(UserError, match=message) as caught:
    read_results_file(path)
  assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
  with pytest.raises(UserError, match="none.parquet cannot be read"):
    read_results_file(tmp_path / "none.parquet")


def test_damaged_bytes_never_cost_more_than_one_line(tmp_path):
  write_results_files(tmp_path, Results(_table(0, 1, 2), {_run(0): "aa"}))
  path = tmp_path / "results.parquet"
  whole, rng = path.read_bytes(), np.random.default_rng(0)
  refused = 0
  for _ in range(200):
    damaged = bytearray(whole[: rng.integers(len(whole) // 2, len(whole) + 1)])
    for place in rng.integers(len(damaged), size=3):
      damaged[place] = rng.integers(256)
    path.write_bytes(damaged)
    try:
      read_results_file(path)
    except UserError:
      refused += 1
  assert refused > 100

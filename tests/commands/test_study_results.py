"""bin/study.py --results: tables of several machines as one study."""

import pyarrow.parquet
import pytest
from command_calls import MIG_ALONE, call
from study_tables import row_of

from disentangle_tf.commands import study
from disentangle_tf.studies.results_files import Results, write_results_files
from disentangle_tf.studies.results_table import results_table

STUDY = """
from __gin__ import dynamic_registration
from disentangle_tf import studies
studies.Study:
  runs = {{"MSE": ["gin/runs/demo_mse.gin"]}}
  sweep = {{"BETA": [0.5]}}
  seeds = 2
  bindings = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]
  metrics = "{folder}/mig.gin"
  plots = [@studies.plot_score_strips]
studies.plot_score_strips.scores = {{"mig": "MIG"}}
"""


@pytest.fixture
def words(tmp_path):
  (tmp_path / "mig.gin").write_text(MIG_ALONE)
  (tmp_path / "study.gin").write_text(STUDY.format(folder=tmp_path))
  return ["--gin_file", tmp_path / "study.gin"]


def _binding(text):
  return ["--gin_bindings", text]


def _values(folder):
  rows = pyarrow.parquet.read_table(folder / "results.parquet").to_pylist()
  return {row["run"]: row["value"] for row in rows}


def test_two_machines_share_a_study(words, tmp_path, capfd):
  """One trains the first seed, the other the rest; then both tables are drawn."""
  first, second, drawn = (tmp_path / name for name in ("first", "second", "drawn"))
  one_seed = _binding("studies.Study.seeds=[0]")
  assert call(study.main, *words, *one_seed, "--output_dir", first, "--slots", 1) == 0
  capfd.readouterr()

  together = [*words, "--output_dir", second, "--slots", 1]
  assert call(study.main, *together, "--results", first) == 0
  output = capfd.readouterr().out
  assert "1 of 2 runs are in the given tables" in output
  assert "seed_1: done in" in output and "seed_0: started" not in output
  assert call(study.main, *together) == 0  # the same command without --results
  assert "started" not in capfd.readouterr().out
  whole = _values(second)
  assert len(whole) == 2 and _values(first).items() <= whole.items()

  changed = [*_binding("studies.Study.bindings=['STEPS=3']"), "--results", first]
  assert call(study.main, *words, *changed, "--output_dir", tmp_path / "other") == 2
  assert "was made with another configuration" in capfd.readouterr().err

  tables = ["--results", first / "results.parquet", "--results", second]
  plots = "studies.Study.plots=[@studies.plot_score_strips, @studies.plot_traversals]"
  draw = ["plot", *words, *_binding(plots), *tables, "--output_dir"]
  assert call(study.main, *draw, drawn) == 1  # the traversals need the models
  output = capfd.readouterr()
  assert "2 of 2 runs; written to" in output.out and "| MSE | 0.5 | 2 |" in output.out
  (line,) = output.err.strip().splitlines()
  assert "not drawn: this figure needs the models" in line
  assert _values(drawn) == whole and (drawn / "score_strips.png").exists()

  assert call(study.main, "plot", *words, *tables[:2], "--output_dir", drawn) == 2
  assert "1 runs, such as 'MSE_BETA_0.5/seed_1', that would be lost" in (
    capfd.readouterr().err
  )
  alone = tmp_path / "alone"
  assert call(study.main, "plot", *words, *tables[:2], "--output_dir", alone) == 1
  assert "1 of 2 runs are in none of the tables" in capfd.readouterr().err
  assert "1 of 2 models are missing" in (alone / "scores.md").read_text()
  assert call(study.main, *draw, second) == 2
  assert "is a study with its own results table" in capfd.readouterr().err


def test_tables_of_other_studies_cost_one_line(words, tmp_path, capfd):
  write_results_files(
    tmp_path, Results(results_table([row_of("cars", "a", 0, 0, "mig", 0.5)]))
  )
  for results, extra, message in (
    (tmp_path, words, "no run of it belongs to the study"),
    (tmp_path / "none", words, "none cannot be read as parquet"),
    (tmp_path, [], "--gin_file is missing"),
  ):
    out = ["--results", results, "--output_dir", tmp_path / "out"]
    assert call(study.main, "plot", *extra, *out) == 2
    assert message in capfd.readouterr().err.strip().splitlines()[-1]
    assert not (tmp_path / "out").exists()

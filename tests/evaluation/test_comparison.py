import csv
import io
import json

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import Comparison, compare


def result(**scores):
  return {"scores": scores}


def test_the_best_of_each_column_is_marked():
  table = Comparison(
    {
      "a": result(mig=0.25, kl=3.0, active_units=2.0),
      "b": result(mig=0.5, kl=4.0, active_units=3.0),
    }
  )
  assert table.best == {"mig": {"b"}, "kl": {"a"}, "active_units": set()}
  text = table.to_text()
  assert "0.500*" in text and "3.000*" in text
  assert text.count("*") == 3  # and the legend's
  assert "| b | **0.500** | 4.000 | 3.000 |" in table.to_markdown()


def test_what_looks_the_same_is_as_good():
  table = Comparison(
    {"a": result(mig=0.5), "b": result(mig=0.50001), "c": result(mig=0)}
  )
  assert table.best["mig"] == {"a", "b"}
  assert not Comparison({"a": result(mig=1.0), "b": result(mig=1.0)}).best["mig"]


def test_seeds_are_one_row():
  table = Comparison(
    {
      "runs/a/seed_0/export": result(mig=0.1),
      "runs/a/seed_1/export": result(mig=0.3),
      "runs/b/seed_0/export": result(mig=0.5),
    }
  )
  assert list(table.rows) == ["runs/a/seed_*/export", "runs/b/seed_0/export"]
  mean, deviation, count = table.rows["runs/a/seed_*/export"]["mig"]
  assert (mean, count) == (pytest.approx(0.2), 2)
  assert deviation == pytest.approx(0.2 / 2**0.5)  # n - 1 in the denominator
  assert "0.200 ± 0.141" in table.to_text()
  rows = list(csv.DictReader(io.StringIO(table.to_csv())))
  assert [row["seeds"] for row in rows] == ["2", "1"]
  assert float(rows[0]["mig_sd"]) == pytest.approx(deviation)
  assert rows[1]["mig_sd"] == ""


def test_manifests_tell_seeds_as_well():
  def manifest(seed, beta):
    config = f"SEED = {seed}\nBETA = {beta}"
    return {"config": config, "data": {"class": "XYSquares"}, "step": 5}

  table = Comparison(
    {"x1": result(mig=0.1), "x2": result(mig=0.2), "y": result(mig=0.3)},
    {"x1": manifest(0, 1), "x2": manifest(7, 1), "y": manifest(0, 2)},
  )
  assert list(table.rows) == ["x*", "y"]


def test_models_that_failed_are_in_every_form():
  table = Comparison({"a": result(mig=0.1), "b": "refused: PrintV2, in f"})
  assert list(table.rows) == ["a"]
  assert table.failures == {"b": "refused: PrintV2, in f"}
  for text in (table.to_text(), table.to_markdown(), table.to_csv()):
    assert "refused: PrintV2, in f" in text


def test_scores_that_only_some_have():
  table = Comparison({"a": result(mig=0.1, kl=1.0), "b": result(mig=0.2)})
  assert "| b | **0.200** | - |" in table.to_markdown()
  rows = list(csv.DictReader(io.StringIO(table.to_csv())))
  assert rows[1]["kl"] == ""


def test_many_columns_are_folded():
  table = Comparison({"a": result(**{f"score_number_{i}": 0.1 for i in range(12)})})
  assert max(map(len, table.to_text().splitlines())) <= 100
  assert all(f"score_number_{i}" in table.to_text() for i in range(12))


def test_one_bad_model_does_not_stop_the_others(tmp_path, capsys):
  def score(model, output_dir):
    if "bad" in model:
      raise UserError("refused: it is bad")
    output_dir.mkdir()
    return result(mig=0.5)

  models = ["m/one/export", "m/bad/export", "m/two/export"]
  comparison = compare(models, score, output_dir=tmp_path / "out")
  assert comparison.failures == {"m/bad/export": "refused: it is bad"}
  assert {path.name for path in (tmp_path / "out").iterdir()} == {
    "one-export",
    "two-export",
    "comparison.txt",
    "comparison.csv",
    "comparison.md",
    "comparison.html",
  }
  assert "m/bad/export: refused: it is bad" in capsys.readouterr().out
  json.dumps(comparison.rows)

import collections
import csv
import functools
import gc
import io
import json
import re
import shutil

import pytest
from matplotlib import figure

from disentangle_tf import metrics
from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import (
  CodesTable,
  Comparison,
  Measurement,
  compare,
  evaluate,
)
from disentangle_tf.evaluation.comparison import direction
from disentangle_tf.evaluation.short_names import short_names
from disentangle_tf.export.manifest import family
from disentangle_tf.foreign.foreign_model import ForeignModel


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


@pytest.mark.parametrize(
  ("score", "arrow"),
  [
    ("informativeness_train", ""),
    ("informativeness_train_lightgbm", ""),
    ("informativeness_test_lightgbm", "↑"),
    ("explicitness_train", ""),
    ("beta_vae_train_accuracy", ""),
    ("sampled_gaussian_total_correlation", "↓"),
    ("mig", "↑"),
  ],
)
def test_directions(score, arrow):
  assert direction(score) == arrow


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
  assert list(table.rows) == ["a/seed_*", "b/seed_0"]
  mean, deviation, count = table.rows["a/seed_*"]["mig"]
  assert (mean, count) == (pytest.approx(0.2), 2)
  assert deviation == pytest.approx(0.2 / 2**0.5)  # n - 1 in the denominator
  assert "0.200 ± 0.141" in table.to_text()
  rows = list(csv.DictReader(io.StringIO(table.to_csv())))
  assert [row["seeds"] for row in rows] == ["2", "1"]
  assert float(rows[0]["mig_sd"]) == pytest.approx(deviation)
  assert rows[1]["mig_sd"] == ""
  assert [row["path"] for row in rows] == [
    "runs/a/seed_*/export",
    "runs/b/seed_0/export",
  ]


def of_family(family, **scores):
  return {"scores": scores, "model": {"family": family}}


def test_manifests_tell_seeds_as_well():
  table = Comparison(
    {
      "x1": of_family("a", mig=0.1),
      "x2": of_family("a", mig=0.2),
      "y": of_family("b", mig=0.3),
    }
  )
  assert list(table.rows) == ["x*", "y"]
  # Families whose names come out alike stay apart.
  table = Comparison({f"x{i}": of_family("ab"[i > 1], mig=i / 10) for i in range(4)})
  assert list(table.rows) == ["x*", "x* (2)"]
  assert table.rows["x* (2)"]["mig"][0] == pytest.approx(0.25)


def test_a_family_is_all_but_the_seed():
  def manifest(seed, beta, step=5):
    config = f"SEED = {seed}\nBETA = {beta}"
    return {"config": config, "data": {"class": "XYSquares"}, "step": step}

  assert family(manifest(0, 1)) == family(manifest(7, 1))
  assert len({family(manifest(0, 1)), family(manifest(0, 2)), None}) == 3
  assert family(manifest(0, 1)) != family(manifest(0, 1, step=6))
  assert family({"config": ""}) is None and family({}) is None


def test_names_are_what_tells_paths_apart():
  paths = ["/home/me/runs/a/export", "/home/me/runs/b/c/export"]
  assert list(short_names(paths).values()) == ["a", "b/c"]
  assert short_names(["/runs/a"]) == {"/runs/a": "a"}
  assert short_names(["a.npz", "b/a.npz"]) == {"a.npz": "a.npz", "b/a.npz": "b/a.npz"}
  assert short_names([]) == {}
  table = Comparison({path: result(mig=0.5) for path in paths})
  assert "/home/me" not in table.to_text()
  page = table.to_html(dict.fromkeys(paths, "folder"))
  assert 'title="/home/me/runs/a/export">a</a>' in page


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
  def score(model, output_dir, **options):
    if "bad" in model:
      raise UserError("refused: it is bad")
    if "ours" in model:
      return 1 / 0
    if "disk" in model:
      raise OSError(28, "No space left on device")
    output_dir.mkdir()
    return result(mig=0.5)

  kinds = ("one", "bad", "ours", "disk", "two")
  comparison = compare(
    [f"m/{kind}/export" for kind in kinds], score, output_dir=tmp_path / "out"
  )
  assert comparison.failures == {
    "m/bad/export": "refused: it is bad",
    "m/ours/export": "a fault of this program, ZeroDivisionError: division by zero; "
    "see ours-export/traceback.txt",
    "m/disk/export": "OSError: [Errno 28] No space left on device",
  }
  assert "1 / 0" in (tmp_path / "out" / "ours-export" / "traceback.txt").read_text()
  assert {path.name for path in (tmp_path / "out").iterdir()} == {
    "one-export",
    "ours-export",
    "two-export",
    "comparison.txt",
    "comparison.csv",
    "comparison.md",
    "comparison.html",
  }
  assert "m/bad/export: refused: it is bad" in capsys.readouterr().out
  json.dumps(comparison.rows)


def test_the_table_is_there_after_each_model(tmp_path):
  seen = []

  def score(model, output_dir, **options):
    table = tmp_path / "out" / "comparison.txt"
    seen.append(table.read_text() if table.exists() else None)
    if model == "m/c":
      raise KeyboardInterrupt
    return result(mig=0.5)

  with pytest.raises(KeyboardInterrupt):
    compare(["m/a", "m/b", "m/c", "m/d"], score, output_dir=tmp_path / "out")
  assert seen[0] is None
  assert "a" in seen[1] and "3 models are still to come" in seen[1]
  assert "b" in seen[2] and "2 models are still to come" in seen[2]
  for form in ("txt", "md", "html"):
    text = (tmp_path / "out" / f"comparison.{form}").read_text()
    assert "2 models are still to come" in text


def test_folders_have_names_that_any_disk_takes(tmp_path):
  def score(model, output_dir, **options):
    output_dir.mkdir()
    return result(mig=0.5)

  models = [
    "m/" + "/".join(["deep" * 20] * 20),
    "m/a b.npz",
    "m/a/b.npz",
    "m/a-b.npz",
    "m/a_b.npz_2",
    "m/comparison.csv",
    "m/...",
    "m/\udcff\x1b[2J.npz",
    "m/\udcfe\x1b[2J.npz",
  ]
  compare(models, score, output_dir=tmp_path / "out")
  folders = [path.name for path in (tmp_path / "out").iterdir() if path.is_dir()]
  assert len(folders) == len(models)
  assert all(re.fullmatch(r"[a-zA-Z0-9_=][a-zA-Z0-9_.=-]{0,104}", n) for n in folders)


def test_nothing_of_a_model_stays_in_memory(exported, tmp_path):
  """But its data set, which the next one may share."""
  models = [shutil.copytree(exported[0], tmp_path / name) for name in "ab"]
  kinds = (CodesTable, ForeignModel, GroundTruthData, figure.Figure)

  def alive():
    gc.collect()
    found = [
      type(each).__name__ for each in gc.get_objects() if isinstance(each, kinds)
    ]
    return collections.Counter(found)

  before = alive()
  measurements = [Measurement(metrics.mig, num_points=50)]
  score = functools.partial(evaluate, measurements=measurements, trusted=True)
  comparison = compare(models, score, output_dir=tmp_path / "out")
  assert not comparison.failures
  assert set(alive() - before) <= {"XYSquares"}
  assert (alive() - before)["XYSquares"] <= 1

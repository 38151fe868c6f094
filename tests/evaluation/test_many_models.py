import collections
import functools
import gc
import json
import re
import shutil

import pytest
from matplotlib import figure

from disentangle_tf import metrics
from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import compare, evaluate
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.scoring import CodesTable, Measurement


def result(**scores):
  return {"scores": scores, "directions": {}}


def test_one_bad_model_does_not_stop_the_others(tmp_path, caplog):
  caplog.set_level("INFO", "disentangle_tf")

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
    "m/ours/export": "a bug of this program, ZeroDivisionError: division by zero; "
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
  assert "m/bad/export: refused: it is bad" in caplog.text
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
  assert "a" in seen[1] and "3 models are still to be scored" in seen[1]
  assert "b" in seen[2] and "2 models are still to be scored" in seen[2]
  for form in ("txt", "md", "html"):
    text = (tmp_path / "out" / f"comparison.{form}").read_text()
    assert "2 models are still to be scored" in text


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

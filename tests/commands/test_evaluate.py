"""bin/evaluate.py as a user runs it."""

import json
import shutil

import pytest
from command_calls import call, check_mistake
from foreign_models import Encoder, write_onnx

from disentangle_tf.commands import evaluate


def _tiny_world(tmp_path):
  """Flags that score models of `tiny_data` with a cheap metric."""
  file = tmp_path / "tiny.gin"
  file.write_text(
    "from __gin__ import dynamic_registration\n"
    "from disentangle_tf import data\n"
    "from disentangle_tf import evaluation\n"
    "evaluation.evaluate.data = @data.XYSquares()\n"
    "evaluation.evaluate.measurements = %protocols.FAST\n"
    "evaluation.evaluate.num_points = 50\n"
    "evaluation.evaluate.num_test_points = 20\n"
    "data.XYSquares:\n"
    "  image_size = 8\n  square_size = 2\n  grid_spacing = 2\n  num_squares = 2\n"
  )
  return "--gin_file", file


def test_several_models_one_of_them_bad(exported, tmp_path, capfd):
  encoder = Encoder(exported[1])
  models = tmp_path / "models"
  models.mkdir()
  for seed in (0, 1):
    write_onnx(models / f"seed_{seed}.onnx", encoder)
  (models / "broken.onnx").write_bytes(b"garbage")
  code = call(
    evaluate.main,
    "--model", models,
    "--output_dir", tmp_path / "out",
    *_tiny_world(tmp_path),
  )  # fmt: skip
  assert code == 3
  table = (tmp_path / "out" / "comparison.txt").read_text()
  assert table in capfd.readouterr().out
  assert "seed_*.onnx" in table and "±" in table
  assert "broken.onnx: the ONNX file is damaged" in table
  assert (tmp_path / "out" / "seed_0.onnx" / "scores.json").exists()
  assert not (tmp_path / "out" / "broken.onnx").exists()


def test_scan_only(exported, tmp_path, capsys):
  assert call(evaluate.main, "--model", exported[0], "--scan_only") == 0
  shown = capsys.readouterr().out
  assert "allowed: TF 2 SavedModel" in shown
  assert "offers encode: images float32 [?, 8, 8, 2] -> log_variance" in shown
  verdict = json.loads(shown[shown.index("\n{") :])
  assert verdict[str(exported[0])]["allowed"]
  (tmp_path / "a.onnx").write_bytes(b"garbage")
  assert call(evaluate.main, "--model", tmp_path / "a.onnx", "--scan_only") == 3


def test_a_bad_model_costs_one_line_and_exit_code_3(tmp_path, capfd):
  (tmp_path / "bad.onnx").write_bytes(b"garbage")
  code = call(
    evaluate.main,
    "--model", tmp_path / "bad.onnx",
    "--output_dir", tmp_path / "out",
    *_tiny_world(tmp_path),
  )  # fmt: skip
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert code == 3 and "damaged" in line
  assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    (("--output_dir", "x"), "--model is missing"),
    (("--model", "nowhere", "--output_dir", "x"), "nowhere"),
    (("--model", ".", "--output_dir", "x"), "is not a model"),
    *(
      (("--model", ".", "--output_dir", "x", flag, value), flag)
      for flag, value in (
        ("--layout", "CHWN"),
        ("--resize", "big"),
        ("--input_range", "1,0"),
        ("--input_range", "wide"),
      )
    ),
    (
      ("--model", ".", "--output_dir", "x", "--limit_seconds", "0"),
      "seconds",
    ),
    (
      ("--model", ".", "--output_dir", "x", "--data", "dsprits"),
      "no data set",
    ),
  ],
)
def test_mistakes_cost_one_line_and_exit_code_2(
  arguments, message, tmp_path, monkeypatch, capfd
):
  monkeypatch.chdir(tmp_path)
  check_mistake(evaluate.main, arguments, message, folder=tmp_path, capfd=capfd)


def _cut(path):
  path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
  "damage",
  [
    lambda export: _cut(export / "manifest.json"),
    lambda export: _cut(export / "saved_model.pb"),
    lambda export: _cut(next(export.glob("variables/*.data*"))),
    lambda export: (export / "saved_model.pb").unlink(),
    lambda export: (export / "variables" / "variables.index").unlink(),
    lambda export: (export / "manifest.json").write_text('{"contract_version": 99}'),
    lambda export: (export / "manifest.json").write_text('{"contract_version": 1}'),
  ],
)
def test_a_damaged_export_costs_one_line_and_exit_code_3(
  damage, exported, tmp_path, capfd
):
  copy = shutil.copytree(exported[0], tmp_path / "export")
  damage(copy)
  code = call(evaluate.main, "--model", copy, "--output_dir", tmp_path / "out")
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert code == 3 and line.startswith("evaluate: error: ")
  assert not (tmp_path / "out").exists()

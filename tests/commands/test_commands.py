"""The commands as a user runs them."""

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest
from command_calls import QUICK, call
from foreign_models import Encoder, write_onnx

from disentangle_tf.commands import evaluate, perceive, study, train

ROOT = pathlib.Path(__file__).parents[2]


def test_train_then_evaluate(tmp_path, capsys):
  run, scores = tmp_path / "run", tmp_path / "scores"
  assert call(
    train.main, *QUICK, "--gin_bindings", "STEPS=3", "--output_dir", run
  ) == 0  # fmt: skip
  assert "STEPS = 3" in (run / "config.gin").read_text()
  assert shlex.split(capsys.readouterr().out.splitlines()[-1])[1:] == [
    "-m", "disentangle_tf.commands.evaluate",
    "--model", str(run / "export"), "--output_dir", str(run / "scores"),
  ]  # fmt: skip
  assert call(
    evaluate.main,
    "--model", run / "export",
    "--data", "xysquares_small",
    "--gin_file", "gin/metrics/fast.gin",
    "--gin_bindings", "evaluation.evaluate.num_points=50",
    "--output_dir", scores,
  ) == 0  # fmt: skip
  result = json.loads((scores / "scores.json").read_text())
  assert result["settings"]["dci"]["num_points"] == 50
  assert 0 <= result["scores"]["mig"] <= 1
  assert "mig" in capsys.readouterr().out


def test_perceive(tmp_path, capsys):
  out = tmp_path / "seen"
  assert call(
    perceive.main,
    "--gin_file", "gin/data/xysquares_small.gin",
    "--gin_file", "gin/losses/overlap.gin",
    "--gin_bindings", "losses.box_kernel.radius=7",
    "--gin_bindings", "perceived.perceive.num_pairs=100",
    "--gin_bindings", "perceived.perceive.num_traversals=2",
    "--output_dir", out,
  ) == 0  # fmt: skip
  importance = json.loads((out / "importance.json").read_text())
  assert importance["loss"]["kernel_shape"] == [15, 15]
  shown = capsys.readouterr().out
  assert (out / "importance.md").read_text() in shown
  assert "adversarial" not in shown


def test_perceive_looks_into_a_model_with_its_own_data(exported, tmp_path, capsys):
  out = tmp_path / "out"
  assert call(
    perceive.main,
    "--model", exported[0],
    "--gin_file", "gin/losses/overlap.gin",
    "--gin_bindings", "losses.box_kernel.radius=2",
    "--gin_bindings", "perceived.perceive.num_traversals=2",
    "--output_dir", out,
  ) == 0  # fmt: skip
  assert (out / "levels.md").read_text() in capsys.readouterr().out
  levels, agreed = (
    json.loads((out / name).read_text()) for name in ("levels.json", "agreement.json")
  )
  blurred = agreed["factors"]["x_R"]
  assert not blurred["constant"]  # as it would be under MSE
  assert levels["x_R"]["observations"]["linear"] == pytest.approx(blurred["linear"])


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
  ("main", "arguments", "message"),
  [
    (train.main, ("--gin_file", "gin/runs/none.gin", "--output_dir", "x"), "gin file"),
    (train.main, ("--output_dir", "x"), "--gin_file is missing"),
    (train.main, QUICK, "--output_dir is missing"),
    (train.main, (*QUICK, "--dry_runn"), "dry_run"),
    (train.main, ("word",), "word"),
    (train.main, (*QUICK, "--resume", "--overwrite", "--output_dir", "x"), "exclude"),
    (
      train.main,
      (
        "--gin_file",
        "gin/data/xysquares.gin",
        "--gin_bindings",
        "training.train.steps=3",
        "--dry_run",
      ),
      "needs a value",
    ),
    (
      train.main,
      (*QUICK, "--dry_run", "--gin_bindings", "data.XYSquares.num_squares=9"),
      "num_squares",
    ),
    (
      train.main,
      (*QUICK, "--dry_run", "--gin_bindings", "networks.mlp_encoder.latents=2"),
      "latents",
    ),
    (
      train.main,
      (*QUICK, "--dry_run", "--gin_bindings", "networks.mlp_encoder.activation='x'"),
      "mlp_encoder",
    ),
    *(
      (train.main, (*QUICK, "--output_dir", "x", "--gin_bindings", binding), message)
      for binding, message in (
        ("BETA='big'", "beta"),
        ("BETA=None", "beta"),
        ("BETA=-1", "beta"),
        ("ALPHA='x'", "alpha"),
        ("LOSS='mse'", "losses.MSE()"),
        ("SEED='x'", "seed"),
        ("UNITS=3", "whole numbers"),
        ("LATENTS=0", "latents"),
        ("STEPS='ten'", "steps"),
        ("MODEL=@models.BetaVAE()", "without parentheses, such as models.BetaVAE"),
        ("training.train.optimizer=@keras.optimizers.Adam()", "without parentheses"),
        ("keras.optimizers.Adam.global_clipnorm='a'", "global_clipnorm"),
        ("keras.optimizers.Adam.learning_rate='fast'", "Adam does not accept"),
        ("training.Computing.jit_compile='yes'", "jit_compile"),
        ("training.Computing.precision='float8'", "precision"),
        ("training.Computing.strategy='gpu'", "strategy"),
        ("training.train.data='dsprites'", "data"),
        ("training.Sampling.draw='pairs'", "Sampling.draw is 'pairs'"),
        ("training.train.watching='often'", "a Watching such as training.Watching()"),
      )
    ),
    (evaluate.main, ("--output_dir", "x"), "--model is missing"),
    (perceive.main, ("--output_dir", "x"), "--gin_file is missing"),
    (
      perceive.main,
      ("--gin_file", "gin/data/pinwheel.gin", "--output_dir", "x"),
      "no images",
    ),
    (evaluate.main, ("--model", "nowhere", "--output_dir", "x"), "nowhere"),
    (evaluate.main, ("--model", ".", "--output_dir", "x"), "no model"),
    *(
      (evaluate.main, ("--model", ".", "--output_dir", "x", flag, value), flag)
      for flag, value in (
        ("--layout", "CHWN"),
        ("--resize", "big"),
        ("--input_range", "1,0"),
        ("--input_range", "wide"),
      )
    ),
    (
      evaluate.main,
      ("--model", ".", "--output_dir", "x", "--limit_seconds", "0"),
      "seconds",
    ),
    (
      evaluate.main,
      ("--model", ".", "--output_dir", "x", "--data", "dsprits"),
      "no data set",
    ),
  ],
)
def test_mistakes_cost_one_line_and_exit_code_2(
  main, arguments, message, tmp_path, monkeypatch, capfd
):
  monkeypatch.chdir(tmp_path)
  assert call(main, *arguments) == 2
  lines = capfd.readouterr().err.strip().splitlines()
  assert len(lines) == 1
  assert "error: " in lines[0] and message in lines[0]
  assert not (tmp_path / "x").exists()


def test_help(capsys):
  assert call(train.main, "--help") == 0
  text = capsys.readouterr().out
  assert "--gin_bindings" in text and "--[no]resume" in text


def _stopped_step(command, checkpoints, number, times=1):
  """Starts a command, signals it after its first checkpoint; the step of its last."""
  process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
  deadline = time.monotonic() + 120
  while not list(checkpoints.glob("*.index")) and time.monotonic() < deadline:
    time.sleep(0.2)
  for _ in range(times):
    process.send_signal(number)
    time.sleep(0.02)  # less than a checkpoint takes
  output, _ = process.communicate(timeout=60)
  assert process.returncode == 130
  step = int(output.split("stopped after step ")[1].split(";")[0])
  assert (checkpoints / f"ckpt-{step}.index").exists()
  return step


def test_a_terminated_run_resumes(tmp_path):
  run = tmp_path / "run"
  command = [
    sys.executable, ROOT / "bin" / "train.py", *QUICK,
    "--gin_bindings", "STEPS=1000000", "--output_dir", run,
  ]  # fmt: skip
  step = _stopped_step(command, run / "checkpoints", signal.SIGTERM, times=3)
  assert not list(run.glob("checkpoints/*temp*")) and not (run / "run.lock").exists()
  resumed = call(
    train.main, *QUICK, "--gin_bindings", f"STEPS={step + 2}",
    "--output_dir", run, "--resume",
  )  # fmt: skip
  assert resumed == 0
  manifest = json.loads((run / "export" / "manifest.json").read_text())
  assert manifest["step"] == step + 2


def test_two_processes_do_not_share_a_folder(tmp_path):
  run = tmp_path / "run"
  command = [
    sys.executable, ROOT / "bin" / "train.py", *QUICK,
    "--gin_bindings", "STEPS=1000000", "--output_dir", run, "--resume",
  ]  # fmt: skip
  first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
  try:
    deadline = time.monotonic() + 120
    while not list(run.glob("checkpoints/*.index")) and time.monotonic() < deadline:
      time.sleep(0.2)
    second = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert second.returncode == 2
    (line,) = second.stderr.strip().splitlines()
    assert f"in use by process {first.pid} on" in line
    assert first.poll() is None
  finally:
    first.kill()
    first.communicate()


def test_an_interrupted_study_keeps_a_checkpoint(tmp_path):
  command = [
    sys.executable, ROOT / "bin" / "study.py",
    "--gin_file", "gin/studies/michlo_figure_7.gin",
    "--gin_bindings", "studies.study.bindings = ['STEPS=1000000', 'UNITS=(4,)', "
    "'training.Computing.jit_compile=False', 'training.Saving.checkpoint_every=20']",
    "--output_dir", tmp_path / "out",
  ]  # fmt: skip
  checkpoints = tmp_path / "out" / "MSE" / "seed_0" / "checkpoints"
  _stopped_step(command, checkpoints, signal.SIGINT, times=2)
  assert "plot_traversals" in (tmp_path / "out" / "config.gin").read_text()


def test_a_study_reads_every_run_before_it_trains(tmp_path, capsys):
  runs = '{"good": ["gin/runs/demo_mse.gin"], "bad": ["gin/runs/demo_mes.gin"]}'
  flags = (
    "--gin_file",
    "gin/studies/michlo_figure_7.gin",
    "--output_dir",
    tmp_path / "a",
  )
  for wrong, message in (
    (f"studies.study.runs = {runs}", "no gin file gin/runs/demo_mes.gin"),
    ('studies.study.sweep = {"BETTA": [1]}', "did you mean 'BETA'"),
  ):
    assert call(study.main, *flags, "--gin_bindings", wrong) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


@pytest.mark.slow
def test_demo_shows_the_papers_result(tmp_path):
  environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
  subprocess.run(
    [ROOT / "bin" / "demo", "--output_dir", tmp_path / "demo"],
    check=True,
    env=environment,
    cwd=tmp_path,
  )
  summary = json.loads((tmp_path / "demo" / "summary.json").read_text())
  assert summary["mse"]["mig"] <= 0.1
  assert summary["overlap"]["mig"] > summary["mse"]["mig"] + 0.2
  report = (tmp_path / "demo" / "report.html").read_text()
  assert report.count("data:image/png;base64,") == 6


def test_train_refuses_a_folder_before_tensorflow_is_loaded(tmp_path):
  (tmp_path / "thesis.tex").write_text("four years")
  words = ["train", *QUICK, "--output_dir", str(tmp_path)]
  program = (
    f"import sys; sys.argv = {words!r}\n"
    "from disentangle_tf.commands import train\n"
    "try:\n  train.main()\n"
    "finally:\n  print('tensorflow' in sys.modules)"
  )
  ended = subprocess.run(
    [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT
  )
  assert ended.returncode == 2 and ended.stdout == "False\n"
  assert "exists and is not empty" in ended.stderr


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

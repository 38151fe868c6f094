"""bin/train.py as a user runs it."""

import json
import shlex
import signal
import subprocess
import sys
import time

import pytest
from command_calls import (
  QUICK,
  ROOT,
  binding_flags,
  call,
  check_mistake,
  stopped_step,
)
from shared_checks import assert_same_run

from disentangle_tf.commands import evaluate, train


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
    "--protocol", "fast",
    "--gin_bindings", "evaluation.evaluate.num_points=50",
    "--output_dir", scores,
  ) == 0  # fmt: skip
  result = json.loads((scores / "scores.json").read_text())
  assert result["settings"]["dci"]["num_points"] == 50
  assert 0 <= result["scores"]["mig"] <= 1
  assert "mig" in capsys.readouterr().out


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    (("--gin_file", "gin/runs/none.gin", "--output_dir", "x"), "gin file"),
    (("--output_dir", "x"), "--gin_file is missing"),
    (QUICK, "--output_dir is missing"),
    ((*QUICK, "--dry_runn"), "dry_run"),
    (("word",), "word"),
    ((*QUICK, "--resume", "--overwrite", "--output_dir", "x"), "exclude"),
    (
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
      (*QUICK, "--dry_run", "--gin_bindings", "data.XYSquares.num_squares=9"),
      "num_squares",
    ),
    (
      (*QUICK, "--dry_run", "--gin_bindings", "networks.mlp_encoder.latents=2"),
      "latents",
    ),
    (
      (*QUICK, "--dry_run", "--gin_bindings", "networks.mlp_encoder.activation='x'"),
      "mlp_encoder",
    ),
    *(
      ((*QUICK, "--output_dir", "x", "--gin_bindings", binding), message)
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
  ],
)
def test_mistakes_cost_one_line_and_exit_code_2(
  arguments, message, tmp_path, monkeypatch, capfd
):
  monkeypatch.chdir(tmp_path)
  check_mistake(train.main, arguments, message, folder=tmp_path, capfd=capfd)


def test_a_terminated_run_resumes(tmp_path):
  run = tmp_path / "run"
  command = [
    sys.executable, ROOT / "bin" / "train.py", *QUICK,
    "--gin_bindings", "STEPS=1000000", "--output_dir", run,
  ]  # fmt: skip
  step = stopped_step(command, run / "checkpoints", signal.SIGTERM, times=3)
  assert not list(run.glob("checkpoints/*temp*")) and not (run / "run.lock").exists()
  resumed = call(
    train.main, *QUICK, "--gin_bindings", f"STEPS={step + 2}",
    "--output_dir", run, "--resume",
  )  # fmt: skip
  assert resumed == 0
  manifest = json.loads((run / "export" / "manifest.json").read_text())
  assert manifest["step"] == step + 2


def test_a_schedule_that_depends_on_the_steps_keeps_its_end(tmp_path, capfd):
  schedule = "keras.optimizers.schedules.CosineDecay"
  decaying = [
    *QUICK,
    *binding_flags(
      f"LEARNING_RATE=@{schedule}()",
      f"{schedule}.initial_learning_rate=0.01",
      f"{schedule}.decay_steps=%STEPS",
    ),
  ]

  def run(folder, *bindings, resume=()):
    flags = binding_flags(*bindings)
    return call(
      train.main, *decaying, *flags, "--output_dir", tmp_path / folder, *resume
    )

  assert run("parts", "STEPS=2") == 0
  capfd.readouterr()
  assert run("parts", "STEPS=4", resume=["--resume"]) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert f"{schedule}.decay_steps depends on STEPS" in line
  longer = ("STEPS=2", "training.train.steps=4")
  assert "resume with STEPS=2 and training.train.steps=4" in line
  assert run("parts", *longer, resume=["--resume"]) == 0
  assert run("whole", *longer) == 0
  assert_same_run(tmp_path / "parts", tmp_path / "whole", atol=1e-6)


def test_two_processes_do_not_share_a_folder(tmp_path, capfd):
  run = tmp_path / "run"
  words = *QUICK, "--gin_bindings", "STEPS=1000000", "--output_dir", run, "--resume"
  command = [sys.executable, ROOT / "bin" / "train.py", *words]
  first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
  try:
    lock, deadline = run / "run.lock", time.monotonic() + 120
    while not (lock.exists() and lock.stat().st_size):
      assert time.monotonic() < deadline
      time.sleep(0.2)
    first.send_signal(signal.SIGSTOP)  # it lives, and takes no computing time
    capfd.readouterr()
    assert call(train.main, *words) == 2  # this process is the second one
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert f"in use by process {first.pid} on" in line
    assert first.poll() is None
  finally:
    first.kill()
    first.communicate()


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

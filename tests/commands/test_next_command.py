import json
import shlex
import subprocess
import sys

import pytest
from command_calls import QUICK, call

from disentangle_tf.commands import evaluate, train
from disentangle_tf.commands.next_command import next_command


@pytest.mark.parametrize(
  ("program", "words"),
  [
    ("bin/train.py", [sys.executable, "bin/evaluate.py"]),
    (
      "../their project/bin/train.py",
      [sys.executable, "../their project/bin/evaluate.py"],
    ),
    ("/opt/some/bin/dtf_train", ["/opt/some/bin/dtf_evaluate"]),
    (
      "/x/disentangle_tf/commands/train.py",
      [sys.executable, "-m", "disentangle_tf.commands.evaluate"],
    ),
  ],
)
def test_it_is_run_as_this_one_was(program, words, monkeypatch):
  monkeypatch.setattr(sys, "argv", [program])
  monkeypatch.setenv("PATH", "")
  line = next_command("evaluate", "--model", "it's here/export")
  assert shlex.split(line) == [*words, "--model", "it's here/export"]


def test_what_the_shell_finds_by_its_name_is_named_so(tmp_path, monkeypatch):
  for name in ("dtf_train", "dtf_evaluate"):
    (tmp_path / name).write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    (tmp_path / name).chmod(0o755)
  monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
  monkeypatch.setattr(sys, "argv", [str(tmp_path / "dtf_train")])
  line = next_command("evaluate", "--model", "my run/$x/export")
  assert line.startswith("dtf_evaluate --model ")
  pasted = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
  assert pasted.stdout == "--model\nmy run/$x/export\n"


def test_what_comes_after_training_on_data_of_ones_own(tmp_path, monkeypatch, capsys):
  module = f"squares_{tmp_path.name}"  # gin remembers what it has seen
  (tmp_path / f"{module}.py").write_text(
    "from disentangle_tf.data import XYSquares\nclass Mine(XYSquares):\n  pass\n"
  )
  file = tmp_path / "own.gin"
  file.write_text(
    f"from __gin__ import dynamic_registration\nimport {module}\n"
    f"DATA = @{module}.Mine()\n"
    f"{module}.Mine:\n  image_size = 8\n  square_size = 2\n  grid_spacing = 2\n"
  )
  monkeypatch.syspath_prepend(tmp_path)
  words = (*QUICK, "--gin_file", file, "--gin_file", "gin/losses/mse.gin")
  words += ("--gin_bindings", "STEPS=1", "--gin_bindings", f"{module}.Mine.grey=True")
  assert call(train.main, *words, "--output_dir", tmp_path / "run") == 0
  command = shlex.split(capsys.readouterr().out.splitlines()[-1])
  program = command.index("--model")
  few = ("--gin_bindings", "evaluation.evaluate.num_points=20", "--trusted")
  few += ("--gin_bindings", "evaluation.evaluate.num_test_points=20")
  assert call(evaluate.main, *command[program:], *few) == 0
  scored_on = json.loads((tmp_path / "run" / "scores" / "scores.json").read_text())
  assert scored_on["data"]["class"] == f"{module}.Mine"
  assert scored_on["data"]["arguments"]["grey"] is True

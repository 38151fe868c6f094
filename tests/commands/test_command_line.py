import contextlib
import errno
import json
import logging
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile

import pytest
import tensorflow as tf
from command_calls import QUICK, binding_flags, call

from disentangle_tf.commands import command_line, evaluate, train, visualize
from disentangle_tf.commands.command_line import (
  _errors_set_aside,
  explain_disk,
  next_command,
  start_tensorflow,
)
from disentangle_tf.errors import ModelError, UserError


def _error(function, *arguments):
  with pytest.raises(Exception) as caught:
    function(*arguments)
  return caught.value


def test_a_full_disk_in_python_and_in_tensorflow(tmp_path):
  with open("/dev/full", "wb", buffering=0) as full:
    error = _error(full.write, b"x")
  assert explain_disk(error) == (
    "No space left on device: free some space, and run this again"
  )
  error = _error(tf.io.write_file, "/dev/full", "x" * 10_000)
  assert explain_disk(error) == (
    "No space left on device (/dev/full): free some space, and run this again"
  )
  path = tmp_path / "with spaces" / "x"
  error = PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
  assert explain_disk(error).startswith(f"Permission denied ({path}): name another")


def test_no_place_for_temporary_files(monkeypatch):
  monkeypatch.setattr(tempfile, "tempdir", None)
  with _file_size_limit(0):  # no folder takes a file
    error = _error(tempfile.gettempdir)
  assert explain_disk(error).startswith("there is no folder for temporary files")


def test_other_errors_are_not_explained():
  assert explain_disk(ValueError("No space left on device")) is None
  assert explain_disk(FileNotFoundError(errno.ENOENT, "No such file", "x")) is None
  assert explain_disk(_error(tf.io.read_file, "/nowhere/x")) is None


@contextlib.contextmanager
def _file_size_limit(size):
  """A limit of the size of every file, in bytes."""
  soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
  # Python 3.11 cuts the bytecode of an import, and cannot import the module again.
  bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
  resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
  try:
    yield
  finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    sys.dont_write_bytecode = bytecode


@pytest.mark.parametrize("size", [100, 20_000])
@pytest.mark.parametrize("command", [train, evaluate, visualize])
def test_a_full_disk_gives_one_line(
  command, size, exported, tmp_path, monkeypatch, capsys
):
  flags = {
    train: (
      "--gin_file", "gin/runs/demo_mse.gin",
      "--gin_bindings", "STEPS=2",
      "--gin_bindings", "training.Computing.jit_compile=False",
    ),
    evaluate: (
      "--model", exported[0], "--protocol", "fast",
      "--gin_bindings", "evaluation.evaluate.num_points=50",
      "--gin_bindings", "evaluation.evaluate.num_test_points=20",
    ),
    visualize: ("--model", exported[0], "--trusted"),
  }[command]  # fmt: skip
  words = ["command", *flags, "--output_dir", tmp_path / "out"]
  monkeypatch.setattr(sys, "argv", [str(word) for word in words])
  with pytest.raises(SystemExit) as ended, _file_size_limit(size):
    command.main()
  assert ended.value.code == 2
  last = capsys.readouterr().err.strip().splitlines()[-1].split("\r")[-1]
  assert "error: File too large" in last and last.endswith("run this again")
  left = [path for path in tmp_path.rglob("*") if path.is_file()]
  assert not [path for path in left if path.name.startswith(".")]  # no partial file


@pytest.mark.parametrize(
  ("program", "words"),
  [
    ("bin/train.py", [sys.executable, "bin/evaluate.py"]),
    (
      "../my project/bin/train.py",
      [sys.executable, "../my project/bin/evaluate.py"],
    ),
    ("/opt/some/bin/dtf_train", ["/opt/some/bin/dtf_evaluate"]),
    (
      "/x/disentangle_tf/commands/train.py",
      [sys.executable, "-m", "disentangle_tf.commands.evaluate"],
    ),
  ],
)
def test_the_next_command_is_started_like_this_one(program, words, monkeypatch):
  monkeypatch.setattr(sys, "argv", [program])
  monkeypatch.setenv("PATH", "")
  line = next_command("evaluate", "--model", "it's here/export")
  assert shlex.split(line) == [*words, "--model", "it's here/export"]


def test_a_program_on_the_path_is_named_without_its_folder(tmp_path, monkeypatch):
  for name in ("dtf_train", "dtf_evaluate"):
    (tmp_path / name).write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    (tmp_path / name).chmod(0o755)
  monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
  monkeypatch.setattr(sys, "argv", [str(tmp_path / "dtf_train")])
  line = next_command("evaluate", "--model", "my run/$x/export")
  assert line.startswith("dtf_evaluate --model ")
  pasted = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
  assert pasted.stdout == "--model\nmy run/$x/export\n"


def test_the_next_command_for_a_users_own_data(tmp_path, monkeypatch, capsys):
  module = f"squares_{tmp_path.name}"  # gin keeps modules for the whole process
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


def _write_to_stderr(text):
  os.write(2, text)  # as a C++ library does, past sys.stderr


def test_start_up_messages_are_hidden(capfd):
  with _errors_set_aside():
    _write_to_stderr(b"this TensorFlow is optimised with oneDNN")
  _write_to_stderr(b"after it")
  assert capfd.readouterr().err == "after it"


def test_start_up_messages_are_shown_if_the_start_fails(capfd):
  with pytest.raises(ImportError), _errors_set_aside():
    _write_to_stderr(b"libcuda is broken")
    raise ImportError
  _write_to_stderr(b", after it")
  assert capfd.readouterr().err == "libcuda is broken, after it"


def test_tensorflow_may_be_started_twice(capfd):
  start_tensorflow()
  assert tf.config.list_physical_devices("CPU")
  assert capfd.readouterr().err == ""


@pytest.fixture
def signals():
  """Restores the signal handlers that a command changes."""
  before = {
    number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)
  }
  yield
  for number, handler in before.items():
    signal.signal(number, handler)


def _run(error=None, words=(), **options):
  """(exit code of a command that raises `error`, its calls)."""
  seen = []

  def mine(*arguments):
    seen.append(arguments)
    if error is not None:
      raise error

  def main():
    command_line.run(mine, command_line.output_flags(), "Does it.\n", **options)

  return call(main, *words), seen


@pytest.mark.parametrize(
  ("error", "code", "line"),
  [
    (None, 0, ""),
    (UserError("beta is -1"), 2, "mine: error: beta is -1\n"),
    (ModelError("the file is damaged"), 3, "mine: error: the file is damaged\n"),
    (OSError(28, "No space left on device"), 2, "mine: error: No space left on device"),
    (KeyboardInterrupt(), 130, "mine: stopped\n"),
    (UserError("a \x1b[2J b"), 2, "mine: error: a \\x1b[2J b\n"),
  ],
)
def test_errors_give_one_line_and_an_exit_code(error, code, line, signals, capsys):
  found, _ = _run(error)
  shown = capsys.readouterr()
  assert found == code and shown.out == ""
  assert shown.err.startswith(line) and shown.err.count("\n") == (code > 0)


def test_a_bug_gives_a_traceback(signals):
  with pytest.raises(ZeroDivisionError):
    _run(ZeroDivisionError())


@pytest.mark.parametrize(
  ("message", "printed"),
  [
    ("add resume=True or overwrite=True", "add --resume or --overwrite"),
    ("choose the data set (data=...)", "choose the data set (--data ...)"),
    ("set untrusted=True", "set untrusted=True"),
  ],
)
def test_arguments_in_messages_are_printed_as_flags(message, printed, signals, capsys):
  assert _run(UserError(message))[0] == 2
  assert printed in capsys.readouterr().err


def test_flags_and_arguments(signals, capsys):
  code, seen = _run(words=["--output_dir", "here", "--overwrite"])
  ((values,),) = seen
  assert code == 0 and (values.output_dir, values.overwrite) == ("here", True)
  assert _run(words=["prepare"]) == (2, [])
  assert (
    "unexpected argument 'prepare': settings are given as --flags"
    in capsys.readouterr().err
  )
  _, seen = _run(words=["prepare", "--overwrite", "cars3d"], takes_words=True)
  assert seen[0][1] == ["prepare", "cars3d"]
  assert _run(words=["--outputdir", "x"]) == (2, [])


def test_a_required_flag(signals):
  values = command_line.gin_flags()
  values(["command", "--output_dir", "x"])
  assert command_line.required(values, "output_dir") == "x"
  with pytest.raises(
    UserError, match="^--gin_file is missing; --help lists the flags$"
  ):
    command_line.required(values, "gin_file")


def test_help(capsys):
  assert call(train.main, "--help") == 0
  text = capsys.readouterr().out
  assert "--gin_bindings" in text and "--[no]resume" in text


def test_traceback_flag(capfd):
  assert call(train.main, *QUICK, "--dry_run", *binding_flags("BETA=-1")) == 2
  assert "Traceback" not in capfd.readouterr().err
  assert (
    call(train.main, *QUICK, "--dry_run", "--traceback", *binding_flags("BETA=-1")) == 2
  )
  shown = capfd.readouterr().err
  assert "Traceback" in shown and "check_coefficient" in shown


def test_a_closed_pipe_gives_no_traceback():
  reads, writes = os.pipe()
  os.close(reads)
  words = [sys.executable, "-m", "disentangle_tf.commands.study", "--help"]
  found = subprocess.run(words, stdout=writes, stderr=subprocess.PIPE, check=False)
  os.close(writes)
  assert found.returncode == 141 and found.stderr == b""


def test_log_messages_are_printed_while_a_command_runs(capsys):
  logger = logging.getLogger("disentangle_tf.training")
  with command_line.logged_to_terminal():
    logger.info("step %d", 3)
    logger.warning("skipped")
    logger.debug("not shown")
  logger.warning("after the command")
  shown = capsys.readouterr()
  assert shown.out == "step 3\nskipped\n"
  assert logging.getLogger("disentangle_tf").propagate

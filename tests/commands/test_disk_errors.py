import contextlib
import errno
import os
import resource
import sys
import tempfile

import pytest
import tensorflow as tf

from disentangle_tf.commands import evaluate, train, visualize
from disentangle_tf.commands.disk_errors import explain_disk


def _error(function, *arguments):
  with pytest.raises(Exception) as caught:
    function(*arguments)
  return caught.value


def test_a_full_disk_in_python_and_in_tensorflow(tmp_path):
  with open("/dev/full", "wb", buffering=0) as full:
    error = _error(full.write, b"x")
  assert explain_disk(error) == (
    "No space left on device: make room, and run this again"
  )
  error = _error(tf.io.write_file, "/dev/full", "x" * 10_000)
  assert explain_disk(error) == (
    "No space left on device (/dev/full): make room, and run this again"
  )
  path = tmp_path / "with spaces" / "x"
  error = PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
  assert explain_disk(error).startswith(f"Permission denied ({path}): name another")


def test_no_place_for_temporary_files(monkeypatch):
  monkeypatch.setattr(tempfile, "tempdir", None)
  before = resource.getrlimit(resource.RLIMIT_FSIZE)
  resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))  # no folder takes a file
  try:
    error = _error(tempfile.gettempdir)
  finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
  assert explain_disk(error).startswith("there is no folder for temporary files")


def test_other_errors_are_ours():
  assert explain_disk(ValueError("No space left on device")) is None
  assert explain_disk(FileNotFoundError(errno.ENOENT, "No such file", "x")) is None
  assert explain_disk(_error(tf.io.read_file, "/nowhere/x")) is None


@contextlib.contextmanager
def _file_size_limit(size):
  """A disk on which every file is soon full."""
  soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
  resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
  try:
    yield
  finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [100, 20_000])
@pytest.mark.parametrize("command", [train, evaluate, visualize])
def test_it_costs_one_line(command, size, exported, tmp_path, monkeypatch, capsys):
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
  assert not [path for path in left if path.name.startswith(".")]  # nothing half

"""One training and its evaluation, as the commands that a user would type."""

import collections
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import termios
import threading
import time

from disentangle_tf.data.serialisation import is_made_here
from disentangle_tf.errors import UserError
from disentangle_tf.export import read_manifest
from disentangle_tf.output_files import write_json
from disentangle_tf.studies.run_error import RunError
from disentangle_tf.training.interruption import Interruption

_LAST_LINES = 20  # kept of what a command says


def train_and_score(folder, *, files, bindings=(), metrics="gin/metrics/fast.gin"):
  """Trains into `folder`, or goes on with what is there, and evaluates the export.

  Args:
    folder: for checkpoints/, tensorboard/, export/ and scores/.
    files: gin files of the run, later ones win.
    bindings: gin bindings that override them.
    metrics: gin file of the metrics.

  Returns:
    {name: score}; read from scores/scores.json if an earlier call wrote it.

  Raises:
    RunError: if one of the two commands fails.
  """
  folder = pathlib.Path(folder)
  asked = {"files": list(files), "bindings": list(bindings), "metrics": metrics}
  _check_same(folder / "run.json", asked)
  scores = folder / "scores" / "scores.json"
  if not scores.exists():
    words = [word for file in files for word in ("--gin_file", file)]
    words += [word for binding in bindings for word in ("--gin_bindings", binding)]
    _run("train", *words, "--output_dir", folder, "--resume")
    write_json(folder / "run.json", asked)
    _run(
      "evaluate",
      "--model", folder / "export",
      "--gin_file", metrics,
      "--output_dir", folder / "scores", "--overwrite",
      "--trusted",  # it was made here; and may name a file of the user's as its data
      *_data(folder),
    )  # fmt: skip
  return json.loads(scores.read_text(encoding="utf-8"))["scores"]


def _data(folder):
  """Words that name the data, which an export cannot if it is the user's own class."""
  known = is_made_here(read_manifest(folder / "export")["data"])
  return () if known else ("--data", folder / "config.gin")


def _check_same(path, asked):
  """What is there must not be taken for the result of other settings."""
  if path.exists():
    found = json.loads(path.read_text(encoding="utf-8"))
    changed = [name for name in asked if asked[name] != found.get(name)]
    if changed:
      raise UserError(
        f"{path.parent} was made with other {' and '.join(changed)}: add "
        "--overwrite, or name another --output_dir"
      )


def _run(command, *arguments):
  words = [str(argument) for argument in arguments]
  typed = f"python bin/{command}.py {shlex.join(words)}"
  print(f"\n$ {typed}", flush=True)
  module = f"disentangle_tf.commands.{command}"
  receive, send = _stream()
  # A session of its own, so that Ctrl-C comes from here alone.
  child = subprocess.Popen(
    [sys.executable, "-m", module, *words], start_new_session=True, stderr=send
  )
  os.close(send)
  lines = collections.deque(maxlen=_LAST_LINES)
  reader = threading.Thread(target=_forward, args=(receive, lines), daemon=True)
  reader.start()
  try:
    interruption = Interruption()
    with interruption.watch(), interruption.noted():
      while child.poll() is None and not interruption.requested:
        time.sleep(0.1)
      if interruption.requested:
        child.send_signal(signal.SIGINT)
        child.wait()  # while it writes the checkpoint that this asks for
        raise KeyboardInterrupt
  finally:
    child.kill()  # nothing to those that have ended
    reader.join(timeout=5)
  if child.returncode:
    raise RunError(typed, child.returncode, list(lines))


def _stream():
  """(to read, to write): a terminal if this process has one, for progress bars."""
  if not os.isatty(2):
    return os.pipe()
  receive, send = os.openpty()
  termios.tcsetwinsize(send, termios.tcgetwinsize(2))
  return receive, send


def _forward(receive, lines):
  """Copies what a command writes to our error stream, and keeps the last lines."""
  rest = b""
  while chunk := _read(receive):
    os.write(2, chunk)
    *whole, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
    lines.extend(line.decode(errors="replace") for line in whole if line.strip())
  if rest.strip():
    lines.append(rest.decode(errors="replace"))
  os.close(receive)


def _read(receive):
  try:
    return os.read(receive, 4096)
  except OSError:  # how a terminal says that nobody writes to it any more
    return b""

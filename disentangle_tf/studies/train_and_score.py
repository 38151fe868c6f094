"""One training and its evaluation, as the commands that a user would type."""

import json
import pathlib
import shlex
import signal
import subprocess
import sys
import time

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_json
from disentangle_tf.training.interruption import Interruption


def train_and_score(folder, *, files, bindings=(), metrics="gin/metrics/fast.gin"):
  """Trains into `folder`, or goes on with what is there, and evaluates the export.

  Args:
    folder: for checkpoints/, tensorboard/, export/ and scores/.
    files: gin files of the run, later ones win.
    bindings: gin bindings that override them.
    metrics: gin file of the metrics.

  Returns:
    {name: score}; read from scores/scores.json if an earlier call wrote it.
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
    )  # fmt: skip
  return json.loads(scores.read_text(encoding="utf-8"))["scores"]


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
  print(f"\n$ python bin/{command}.py {shlex.join(words)}", flush=True)
  module = f"disentangle_tf.commands.{command}"
  # A session of its own, so that Ctrl-C comes from here alone, and once: a second one
  # would cost the checkpoint that the first one asks for.
  child = subprocess.Popen(
    [sys.executable, "-m", module, *words], start_new_session=True
  )
  try:
    with Interruption().watch() as interruption:
      while child.poll() is None and not interruption.requested:
        time.sleep(0.1)
    if interruption.requested:
      child.send_signal(signal.SIGINT)
      child.wait()
      raise KeyboardInterrupt
  finally:
    child.kill()  # after a second Ctrl-C; nothing to those that have ended
  if child.returncode:
    raise UserError(f"bin/{command}.py failed, and says why above")

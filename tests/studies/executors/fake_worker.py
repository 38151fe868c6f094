"""A worker whose runs take a moment: fake_worker.py STUDY [WHAT_ELSE]."""

import json
import os
import pathlib
import signal
import sys
import time

from disentangle_tf.commands.study_configuration import stop_at_warnings
from disentangle_tf.studies.executors.local import MORE
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.worker import Worker

STEPS = 100


def perform(plan, folder):
  what = sys.argv[2:]
  with open(folder / "attempts", "a") as attempts:
    attempts.write("x")
  if "killed_once" in what and (folder / "attempts").read_text() == "x":
    os.kill(os.getpid(), signal.SIGKILL)
  if "always_killed" in what and plan.seed == 1:
    os.kill(os.getpid(), signal.SIGKILL)
  if "slow" in what:
    for _ in range(600):
      time.sleep(0.1)
  if "steps" in what:
    take_steps(folder)
  (folder / "scores").mkdir()
  (folder / "scores" / "scores.json").write_text(json.dumps({"seed": plan.seed}))


def take_steps(folder):
  """Takes a second each; keeps a checkpoint when stopped, and goes on from it."""
  checkpoint, step = folder / "checkpoint", 0
  if checkpoint.exists():
    step = int(checkpoint.read_text())
  try:
    while step < STEPS:
      time.sleep(1)
      with open(folder / "steps", "a") as steps:
        steps.write(f"{step}\n")
      step += 1
  except KeyboardInterrupt:
    checkpoint.write_text(str(step))
    raise


def _stop(*_):
  raise KeyboardInterrupt


signal.signal(signal.SIGTERM, _stop)
stop_at_warnings()
if "broken" in sys.argv:
  sys.exit(2)
study = StudyFolder(pathlib.Path(sys.argv[1]))
try:
  more = Worker(study.path, study.read_plans(), perform, most_runs=3).work()
except KeyboardInterrupt:
  sys.exit(130)
sys.exit(MORE if more else 0)

"""Resident memory of a study worker after each of its runs; prints one JSON line.

  python benchmarks/worker_memory.py [--runs 40] [--metrics fast] [--xla]

A run is the demo's MSE run with 20 steps, trained and scored in this process. The
growth is the slope of a line through the memory after the sixth run and later ones.
XLA keeps every program that it has compiled, so memory grows with --xla.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import contextlib
import gc
import json
import pathlib
import tempfile
import time

import keras
import numpy as np
from absl import app, flags

from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.study_configuration import read_run
from disentangle_tf.studies import Study
from disentangle_tf.studies.resident_memory import resident_memory
from disentangle_tf.studies.run import train_and_score

RUNS = flags.DEFINE_integer("runs", 40, "Runs of the worker, more than five.")
METRICS = flags.DEFINE_string("metrics", "fast", "Protocol or gin file of the scores.")
XLA = flags.DEFINE_bool("xla", False, "Whether XLA compiles the steps.")
WARM_UP = 5  # runs before memory is compared


def worker_memory(
  runs: int = 40, *, metrics: str = "fast", xla: bool = False, steps: int = 20
) -> dict:
  """Train and score `runs` tiny models; returns MiB after each and the growth."""
  study = Study(
    runs={"demo": ["gin/runs/demo_mse.gin"]},
    seeds=runs,
    metrics=metrics,
    bindings=(f"STEPS = {steps}", f"training.Computing.jit_compile = {xla}"),
  )
  memory = []
  started = time.process_time()
  with tempfile.TemporaryDirectory() as folder:
    for plan in study.plans(plan_text):
      path = pathlib.Path(folder) / plan.run
      path.mkdir(parents=True)
      with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        train_and_score(read_run(plan), path)
      keras.backend.clear_session()
      gc.collect()
      memory.append(resident_memory() / 2**20)
  later = memory[WARM_UP:]
  return {
    "runs": runs,
    "xla": xla,
    "mib": [round(each) for each in memory],
    "mib_per_run": round(float(np.polyfit(range(len(later)), later, 1)[0]), 2),
    "cpu_seconds_per_run": round((time.process_time() - started) / runs, 2),
  }


def main(_: list[str]) -> None:
  print(json.dumps(worker_memory(RUNS.value, metrics=METRICS.value, xla=XLA.value)))


if __name__ == "__main__":
  app.run(main)

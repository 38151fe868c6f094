"""Images per second and memory of every available data set; prints one JSON line.

  python benchmarks/data_sets.py [--seconds 3]

Each set runs in a separate process: batches of 256 through the tf.data pipeline. Memory
is the peak resident memory in MB, including TensorFlow's own (`baseline`). Sets whose
files are missing are left out.
"""

import json
import os
import resource
import subprocess
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from absl import app, flags

from disentangle_tf.commands.gin_configuration import find_data, read_configuration
from disentangle_tf.commands.gin_files import shipped

SECONDS = flags.DEFINE_float("seconds", 3.0, "How long to measure each set.")
ONLY = flags.DEFINE_string("only", None, "Measure this set, in this process.")


def measure(name):
  """Return {"resident_mb"}; for a set also "open_seconds" and "images_per_second"."""
  import gin

  from disentangle_tf.data import Batches

  figures = {}
  if name != "baseline":
    read_configuration(
      ["gin/metrics/default.gin", find_data(name)], ["evaluation.evaluate.data = %DATA"]
    )
    started = time.perf_counter()
    data = gin.get_bindings("evaluation.evaluate")["data"]
    figures["open_seconds"] = round(time.perf_counter() - started, 2)
    batches = iter(Batches(data, batch_size=256).dataset(0, 10**6))
    next(batches)
    count, started = 0, time.perf_counter()
    while time.perf_counter() < started + SECONDS.value:
      next(batches)
      count += 256
    figures["images_per_second"] = round(count / (time.perf_counter() - started))
  peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
  return {**figures, "resident_mb": peak // 1024}


def main(_):
  if ONLY.value:
    print(json.dumps(measure(ONLY.value)))
    return
  results = {}
  for name in ("baseline", *shipped("data")):
    command = [sys.executable, __file__, f"--only={name}", f"--seconds={SECONDS.value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
      results[name] = json.loads(done.stdout.splitlines()[-1])
  print(json.dumps(results))


if __name__ == "__main__":
  app.run(main)

"""Images per second and memory of every data set that needs no download.

Each set runs in a separate process: batches of 256 through the tf.data pipeline. Memory
is the peak resident memory, including TensorFlow's own (`TensorFlow alone`). Sets that
come as files are read from small made-up files in the official formats.
"""

import json
import pathlib
import resource
import sys
import tempfile
import time

from command_costs import ROOT, cost_of_python
from interleaved import summary

BASELINE = "TensorFlow alone"
FEW = ("xysquares", "xysquares_small", "pinwheel")
FORMATS = ("shapes3d", "cars3d", "smallnorb", "mpi3d_toy")
UNAVAILABLE = (  # need a download, a painting, or a run that made them
  "celeb_a",
  "fashion_mnist",
  "manipulated",
  "mpi3d_real",
  "mpi3d_realistic",
  "scream_dsprites",
  "table",
)
BATCH_SIZE = 256
PARTS = 5  # of the time, for the spread


def measure(quick):
  from disentangle_tf.commands.gin_files import shipped

  names = [name for name in shipped("data") if name not in UNAVAILABLE]
  if quick:
    names = [*FEW, "shapes3d"]
  seconds = 0.5 if quick else 2.0
  found = []
  for name in (BASELINE, *names):
    cost = cost_of_python(__file__, name, seconds)
    found.append(json.loads(cost.output.splitlines()[-1]))
  return {"rows": found}


def measure_set(name, seconds):
  """The row of one set; "wall" and "cpu" are seconds per batch."""
  import tensorflow as tf

  row = {"name": name}
  if name != BASELINE:
    import disentangle_tf.commands.gin_configuration
    import disentangle_tf.data  # noqa: F401, not part of opening

    started = time.perf_counter()
    data = _open(name)
    row["open_seconds"] = round(time.perf_counter() - started, 2)
    row |= {"unit": f"batch of {BATCH_SIZE}", **_pipeline_speed(data, seconds)}
  row["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
  del tf
  return row


def _pipeline_speed(data, seconds):
  from disentangle_tf.data import Batches

  batches = iter(Batches(data, batch_size=BATCH_SIZE).dataset(0, 10**7))
  next(batches)
  taken = {"wall": [], "cpu": []}
  for _ in range(PARTS):
    count, wall, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() < wall + seconds / PARTS:
      next(batches)
      count += 1
    taken["wall"].append((time.perf_counter() - wall) / count)
    taken["cpu"].append((time.process_time() - cpu) / count)
  found = {clock: summary(values) for clock, values in taken.items()}
  speed = BATCH_SIZE / found["wall"]["median"]
  return {**found, "images_per_second": round(speed)}


def _open(name):
  """The set that gin/data/NAME.gin names."""
  import gin

  from disentangle_tf.commands.gin_configuration import find_data, read_configuration

  read_configuration(
    ["gin/metrics/default.gin", find_data(name)], ["evaluation.evaluate.data = %DATA"]
  )
  return gin.get_bindings("evaluation.evaluate")["data"]


def _use_made_up_files(name, folder):
  """Write the set's official files, small and with random content, into `folder`."""
  import pytest

  sys.path.insert(0, str(ROOT / "tests"))
  import official_formats

  from disentangle_tf.data.known_sets import KNOWN_SETS

  patch = pytest.MonkeyPatch()
  official_formats.use_empty_home(pathlib.Path(folder) / "home", patch)
  cached = KNOWN_SETS[name].data_class
  official = pathlib.Path(folder) / "official"
  official_formats.write(cached, official)
  KNOWN_SETS[name].make(source=official)  # writes the cache


if __name__ == "__main__":
  with tempfile.TemporaryDirectory() as place:
    if sys.argv[1] in FORMATS:
      _use_made_up_files(sys.argv[1], place)
    print(json.dumps(measure_set(sys.argv[1], float(sys.argv[2]))))

"""Start-up, encoding and memory of an evaluation; prints one JSON line.

  python benchmarks/evaluation.py [--rounds 3] [--models 20]

Start-up: seconds from the command to the first training step (paper's convolutional
beta-VAE) and to the first score (MIG of its export, on 10,000 points), in new
processes. Wall clock needs idle cores. CPU time is of all processes, the sandbox too.

Encoding: images per second in batches of 256, with rendering: of the live model, of its
export in this process (`trusted`) and in a sandbox, and of a foreign SavedModel in a
sandbox. `encoding_over_step` divides by the images per second of a training step.

Memory: of `bin/evaluate.py` over copies of a small model, with all processes that it
starts; pages that several processes share count once. `mib` has the memory after each
model, `peak_mib` the largest that was seen. Both are read about ten times a second.
"""

import contextlib
import functools
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf
from absl import app, flags
from interleaved import in_turn, median_seconds

from disentangle_tf import export, foreign, losses, models, networks
from disentangle_tf.data import Batches, XYSquares
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.scoring import CodesTable
from disentangle_tf.training.loop import StepRunner

ROUNDS = flags.DEFINE_integer("rounds", 3, "How often everything is measured.")
MODELS = flags.DEFINE_integer("models", 20, "Models of the list, for memory.")
ROOT = pathlib.Path(__file__).parents[1]
BATCH_SIZE, IMAGES, STEPS = 256, 2048, 4

# Runs a command until the first call of a function has ended, and prints the CPU time.
UNTIL_FIRST = """
import os, sys, importlib
module, name, command = sys.argv[1:4]
sys.argv = [f"bin/{command}.py", *sys.argv[4:]]
main = importlib.import_module(f"disentangle_tf.commands.{command}")
start = main.start_tensorflow
def start_tensorflow(*arguments):
  start(*arguments)
  holder = importlib.import_module(module)
  *path, last = name.split(".")
  for part in path:
    holder = getattr(holder, part)
  function = getattr(holder, last)
  def first(*arguments, **options):
    function(*arguments, **options)
    print("FIRST", flush=True)
    sys.stdin.read()  # until the benchmark has read the CPU time of all processes
  setattr(holder, last, first)
main.start_tensorflow = start_tensorflow
main.main()
"""


def processes(root):
  """The process `root` and all that descend from it."""
  found = [root]
  for process in found:
    for file in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
      try:
        found += map(int, file.read_text().split())
      except OSError:  # the thread has ended
        continue
  return found


def cpu_seconds(root):
  """CPU time of a process and its descendants, ended children included."""
  ticks = 0
  for process in processes(root):
    words = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ticks += sum(map(int, words[11:15]))
  return ticks / os.sysconf("SC_CLK_TCK")


def memory_mib(root):
  """Memory of a process and its descendants; shared pages count once."""
  total = 0
  for process in processes(root):
    try:
      text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:  # it has ended
      continue
    total += int(text.partition("\nPss:")[2].split()[0])
  return total / 1024


def until_first(function, command, *words):
  """Return {"wall", "cpu"} seconds from the command to the end of a first call."""
  module, _, name = function.partition(":")
  started = time.perf_counter()
  process = subprocess.Popen(
    [sys.executable, "-c", UNTIL_FIRST, module, name, command, *map(str, words)],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    cwd=ROOT,
    text=True,
  )
  for line in process.stdout:
    if line == "FIRST\n":
      break
  else:
    raise RuntimeError(f"bin/{command}.py ended before the first {name}")
  taken = {"wall": time.perf_counter() - started, "cpu": cpu_seconds(process.pid)}
  process.kill()
  process.wait()
  return taken


def start_up(exported, folder, rounds):
  """Seconds from the command to the first training step and to the first score."""
  folders = (folder / f"start_{number}" for number in range(10**6))
  variants = {
    "first_step": lambda: until_first(
      "disentangle_tf.training.loop:StepRunner.run",
      "train",
      *("--gin_file", "gin/runs/michlo.gin", "--output_dir", next(folders)),
    ),
    "first_score": lambda: until_first(
      "disentangle_tf.scoring.measurement:Measurement.scores",
      "evaluate",
      *("--model", exported, "--output_dir", next(folders)),
    ),
  }
  times = in_turn(variants, rounds)
  return {clock: median_seconds(times, clock) for clock in ("wall", "cpu")}


def paper_model(data):
  """The convolutional beta-VAE of Michlo et al., untrained."""
  keras.utils.set_random_seed(0)
  model = models.BetaVAE(
    networks.conv_encoder(data.observation_shape, latents=25),
    networks.conv_decoder(data.observation_shape, latents=25),
    losses.MSE(),
    beta=0.0316,
    standardisation=data.standardisation(),
  )
  model.compile(keras.optimizers.Adam(1e-3))
  model.optimizer.build(model.trainable_variables)
  return model


def write_foreign(model, data, folder):
  """Write the encoder as a SavedModel without a manifest."""
  module = tf.Module()
  module.parts = model
  spec = tf.TensorSpec([None, *data.observation_shape], tf.float32)
  encode = tf.function(lambda images: {"mean": model.encode(images).mean()})
  signatures = {"encode": encode.get_concrete_function(images=spec)}
  tf.saved_model.save(module, str(folder), signatures=signatures)
  return folder


def timed_with_sandboxes(function):
  """Return a function that times a call in {"wall", "cpu"} seconds."""

  def take():
    wall, cpu = time.perf_counter(), cpu_seconds(os.getpid())
    function()
    return {
      "wall": time.perf_counter() - wall,
      "cpu": cpu_seconds(os.getpid()) - cpu,
    }

  function()  # warm up
  return take


def encoding(model, data, exported, folder, rounds):
  """Images per second of training, and of encoding as multiples of that."""
  last_step = STEPS * (rounds + 1)
  runner = StepRunner(
    model,
    Batches(data, batch_size=BATCH_SIZE),
    strategy=tf.distribute.get_strategy(),
    jit_compile=False,
    first_step=0,
    last_step=last_step,
  )
  steps = iter(range(0, last_step, STEPS))
  rng = np.random.default_rng(0)

  def encode_with(encode):
    CodesTable.of_model(encode, data).sample(IMAGES, rng)

  with contextlib.ExitStack() as models_open:

    def opened(path, *, trusted=False):
      subject = models_open.enter_context(foreign.ForeignModel(path))
      subject.open(data.observation_shape, trusted=trusted)
      return subject.encode

    encoders = {
      "live": LiveModel(model).encode,
      "export_trusted": opened(exported, trusted=True),
      "export_sandbox": opened(exported),
      "foreign_sandbox": opened(write_foreign(model, data, folder / "foreign")),
    }
    variants = {"step": timed_with_sandboxes(lambda: runner.run(next(steps), STEPS))}
    for name, encode in encoders.items():
      variants[name] = timed_with_sandboxes(functools.partial(encode_with, encode))
    times = in_turn(variants, rounds)
  found = {}
  for clock in ("wall", "cpu"):
    rates = {
      name: (STEPS * BATCH_SIZE if name == "step" else IMAGES)
      / statistics.median(each[clock] for each in taken)
      for name, taken in times.items()
    }
    step = rates.pop("step")
    found[clock] = {
      "step_images_per_second": round(step),
      "encoding_over_step": {name: round(r / step, 2) for name, r in rates.items()},
    }
  return found


def list_memory(exported, folder, count):
  """MiB after each model of a list, and the largest sum that was seen."""
  paths = [shutil.copytree(exported, folder / f"model_{i:02}") for i in range(count)]
  output = folder / "table"
  process = subprocess.Popen(
    [
      sys.executable,
      str(ROOT / "bin/evaluate.py"),
      *(word for path in paths for word in ("--model", str(path))),
      *("--protocol", "fast", "--output_dir", str(output)),
      *("--gin_bindings", "evaluation.evaluate.num_points=500"),
      *("--gin_bindings", "evaluation.evaluate.num_test_points=500"),
    ],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    cwd=ROOT,
  )
  after, peak = [], 0.0
  while process.poll() is None:
    now = memory_mib(process.pid)
    peak = max(peak, now)
    if len(list(output.glob("*/scores.json"))) > len(after):
      after.append(round(now))
    time.sleep(0.1)
  return {"mib": after, "peak_mib": round(peak), "exit_code": process.returncode}


def small_export(folder):
  """The export of a small network, for the list."""
  data = XYSquares(image_size=16, square_size=2, grid_spacing=2, num_squares=2)
  shape = data.observation_shape
  model = models.BetaVAE(
    networks.mlp_encoder(shape, latents=9),
    networks.mlp_decoder(shape, latents=9),
    losses.MSE(),
    beta=0.7,
    standardisation=data.standardisation(),
  )
  return write(model, data, folder)


def write(model, data, folder):
  """Export a model as a training does."""
  return export.write_export(model, folder, data=data, config_text="", seed=0, step=0)


def measure(rounds=3, models_in_list=20):
  """Measure all parts: a dict of numbers, as the JSON line shows it."""
  data = XYSquares()
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    model = paper_model(data)
    exported = write(model, data, folder / "export")
    small = small_export(folder / "small")
    return {
      "cores": os.cpu_count(),
      "rounds": rounds,
      "start_up": start_up(exported, folder, rounds),
      "encoding": encoding(model, data, exported, folder, rounds),
      "memory": list_memory(small, folder, models_in_list),
    }


def main(_):
  print(json.dumps(measure(ROUNDS.value, MODELS.value)))


if __name__ == "__main__":
  app.run(main)

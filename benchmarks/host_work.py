"""Milliseconds per 1,000 steps that the host spends besides steps; prints JSON.

  python benchmarks/host_work.py [--rounds 5] [--log_every 1000]

The model is the paper's convolutional beta-VAE on XYSquares. Each part is called alone,
as the training loop calls it, and multiplied by its calls in 1,000 steps with the
periods of a paper's run. A GPU waits for these parts; on a CPU they compete with the
steps. Times are medians over the rounds: `wall`, `cpu` of all threads, and `thread`,
the CPU time of the thread that trains.

- monitor, pictures, checkpoint: one entry, one set of pictures, one checkpoint.
- scoring: MIG and DCI as Michlo et al. take them, every 7,200 steps: in the training
  process, and in a child process, where the training waits for the codes only.
- reduce: 1,000 steps of a tiny model on two replicas, which is mostly their overhead.
- batches: 256 images of 64x64x3 from a file, as floats that the host makes and as bytes
  that the device converts: batches per second, and CPU milliseconds per batch.
"""

import json
import os
import pathlib
import statistics
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf
from absl import app, flags

from disentangle_tf import losses, models, networks, scoring
from disentangle_tf.data import Batches, Spot, XYSquares
from disentangle_tf.data.files.cached_images import CachedImages
from disentangle_tf.training import Scoring
from disentangle_tf.training.checkpoints import Checkpoints
from disentangle_tf.training.loop import StepRunner
from disentangle_tf.training.monitor import Monitor
from disentangle_tf.training.scorer import Scorer

ROUNDS = flags.DEFINE_integer("rounds", 5, "How often every part is called.")
LATENTS = flags.DEFINE_integer("latents", 25, "Latents of the model.")
LOG_EVERY = flags.DEFINE_integer("log_every", 1000, "Steps between two entries.")
SCORED = flags.DEFINE_bool("scored", True, "Whether to measure the scoring.")
SCORE_EVERY = 7_200
TINY_STEPS = 200
WARM_UP, BATCHES = 20, 200


def convolutional(data):
  keras.utils.set_random_seed(0)
  model = models.BetaVAE(
    networks.conv_encoder(data.observation_shape, latents=LATENTS.value),
    networks.conv_decoder(data.observation_shape, latents=LATENTS.value),
    losses.MSE(),
    beta=0.0316,
    standardisation=data.standardisation(),
  )
  model.compile(keras.optimizers.Adam(1e-3), jit_compile=False)
  model.optimizer.build(model.trainable_variables)
  return model


CLOCKS = {
  "wall": time.perf_counter,
  "cpu": time.process_time,
  "thread": time.thread_time,
}


def timed(call):
  """Return {clock: milliseconds} of a call."""
  started = {name: clock() for name, clock in CLOCKS.items()}
  call()
  return {name: 1000 * (clock() - started[name]) for name, clock in CLOCKS.items()}


def milliseconds(call, calls):
  """Return {"each": medians of a call, "per_1000_steps": the same times `calls`}."""
  call(0)  # traces
  taken = [timed(lambda step=step: call(step)) for step in range(1, ROUNDS.value + 1)]
  each = {name: statistics.median(times[name] for times in taken) for name in CLOCKS}
  return {
    "each": {name: round(value, 1) for name, value in each.items()},
    "per_1000_steps": {name: round(calls * value, 1) for name, value in each.items()},
  }


def monitor_parts(model, data, folder):
  terms = dict.fromkeys(("loss", "reconstruction", "kl"), 1.0)
  with Monitor(model, data, folder / "tensorboard", seed=0) as monitor:
    return {
      "monitor": milliseconds(
        lambda step: monitor.scalars(step, terms, 1000.0), 1000 / LOG_EVERY.value
      ),
      "pictures": milliseconds(monitor.pictures, 1),
    }


def checkpoint_part(model, folder):
  checkpoints = Checkpoints(model, folder / "checkpoints", keep=3)
  checkpoints.save(10**6)
  return milliseconds(lambda step: checkpoints.save(10**6 + 1 + step), 1)


class Silent:
  """Takes scores and writes nothing."""

  def scores(self, step, scores):
    pass


def scoring_part(model, data, folder, **options):
  folder = folder / f"scored_{len(list(folder.iterdir()))}"
  folder.mkdir()
  measurements = scoring.protocols.MICHLO_DURING_TRAINING
  scorer = Scorer(
    model,
    data,
    Scoring(measurements, every=SCORE_EVERY, **options),
    folder,
    Silent(),
    first_step=0,
  )
  taken = timed(lambda: scorer.score(SCORE_EVERY))
  with scorer:  # waits for the child, outside of the times
    pass
  return {name: round(1000 / SCORE_EVERY * value, 1) for name, value in taken.items()}


def reduce_part():
  """Return the times of 1,000 steps of a tiny model on two replicas."""
  strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
  spot = Spot()
  with strategy.scope():
    model = models.BetaVAE(
      networks.mlp_encoder(spot.observation_shape, latents=2, units=(8,)),
      networks.mlp_decoder(spot.observation_shape, latents=2, units=(8,)),
      losses.MSE(),
      beta=0.1,
    )
    model.compile(keras.optimizers.Adam(1e-3), jit_compile=False)
    model.optimizer.build(model.trainable_variables)
  runner = StepRunner(
    model,
    Batches(spot, batch_size=8, num_replicas=2),
    strategy=strategy,
    jit_compile=False,
    first_step=0,
    last_step=TINY_STEPS * (ROUNDS.value + 2),
  )
  return milliseconds(
    lambda number: runner.run(TINY_STEPS * number, TINY_STEPS), 1000 / TINY_STEPS
  )["per_1000_steps"]


class Photographs(CachedImages):
  """20,000 images of noise in the format of the sets that come as files."""

  name = "photographs"
  factor_names = ("first", "second")
  grids = ((200, 100),)
  observation_shape = (64, 64, 3)


def batches_part(folder):
  """Return {"floats" or "bytes": batches per second, and CPU time of each}."""
  images = np.random.default_rng(0).integers(0, 256, [20_000, 64, 64, 3], np.uint8)
  np.save(folder / "images.npy", images)
  batches = Batches(Photographs(folder=folder), batch_size=256)
  found = {}
  for name, fetched in (("floats", False), ("bytes", True)):
    made = iter(batches.dataset(0, 10**6, fetched=fetched))
    for _ in range(WARM_UP):
      next(made)
    taken = timed(lambda made=made: [next(made) for _ in range(BATCHES)])
    found[name] = {
      "per_second": round(1000 * BATCHES / taken["wall"]),
      "cpu_milliseconds": round(taken["cpu"] / BATCHES, 2),
    }
    del made
  return found


def main(_):
  cpu = tf.config.list_physical_devices("CPU")[0]
  two = [tf.config.LogicalDeviceConfiguration()] * 2
  tf.config.set_logical_device_configuration(cpu, two)
  data = XYSquares()
  model = convolutional(data)
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    found = monitor_parts(model, data, folder)
    found["checkpoint"] = checkpoint_part(model, folder)
    if SCORED.value:
      found["scoring"] = {
        name: scoring_part(model, data, folder, in_background=in_child)
        for name, in_child in (("in_process", False), ("in_child", True))
      }
    found["batches"] = batches_part(folder)
  found["reduce"] = reduce_part()
  print(json.dumps(found))


if __name__ == "__main__":
  app.run(main)

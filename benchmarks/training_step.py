"""Seconds of a training step, as ratios to a plain one; prints one JSON line.

  python benchmarks/training_step.py [--steps 10] [--rounds 5]

Plain is the paper's convolutional beta-VAE on XYSquares with squared error and batches
of 256 that are made on the device. Each other variant changes one thing: the overlap
loss by products or by Fourier transform, XLA, or batches through the host's tf.data
pipeline. A pipeline that is too slow would show as a ratio well above 1.

All variants are built and warmed up first, then measured in turn. Before its turn a
variant takes a few steps without timing, to consume batches that the pipeline prepared
in the meantime. A ratio is one of medians over the rounds; its spread is the smallest
and largest ratio of a round. The output has wall and CPU time.
"""

import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf
from absl import app, flags
from interleaved import in_turn, median_seconds, ratios, timed

from disentangle_tf import losses, models, networks
from disentangle_tf.data import Batches, XYSquares
from disentangle_tf.training.loop import StepRunner

STEPS = flags.DEFINE_integer("steps", 10, "Steps of a variant in each round.")
ROUNDS = flags.DEFINE_integer("rounds", 5, "How often every variant is measured.")
WARM_UP = 3  # steps before the first round, and again before each
BATCH_SIZE = 256


class HostXYSquares(XYSquares):
  """XYSquares that is rendered by the host's pipeline."""

  renders_on_device = False


ANY_KERNEL = np.random.default_rng(0).random((63, 63)) / 63**2


def overlap(loss=None, kernel=None, method="auto"):
  kernel = losses.box_kernel(31) if kernel is None else kernel
  return losses.Overlap(loss or losses.MSE(), kernel, method=method)


def timed_steps(*, data=None, loss=None, jit_compile=False):
  """Return a function that times the next steps of a model that is warmed up."""
  data = data or XYSquares()
  keras.utils.set_random_seed(0)
  model = models.BetaVAE(
    networks.conv_encoder(data.observation_shape, latents=25),
    networks.conv_decoder(data.observation_shape, latents=25),
    loss or losses.MSE(),
    beta=0.0316,
    standardisation=data.standardisation(),
  )
  model.compile(keras.optimizers.Adam(1e-3))
  model.optimizer.build(model.trainable_variables)
  runner = StepRunner(
    model,
    Batches(data, batch_size=BATCH_SIZE),
    strategy=tf.distribute.get_strategy(),
    jit_compile=jit_compile,
    first_step=0,
    last_step=WARM_UP + ROUNDS.value * (WARM_UP + STEPS.value),
  )
  taken = 0

  def take(count):
    nonlocal taken
    runner.run(taken, count)
    taken += count

  take(WARM_UP)
  return timed(lambda: take(STEPS.value), before=lambda: take(WARM_UP))


def main(_):
  variants = {
    "plain": timed_steps(),
    "overlap_box": timed_steps(loss=overlap()),
    "overlap_gaussian": timed_steps(loss=overlap(kernel=losses.gaussian_kernel(31))),
    "overlap_of_mae": timed_steps(loss=overlap(losses.MAE())),
    "overlap_of_bernoulli": timed_steps(loss=overlap(losses.Bernoulli())),
    "bernoulli": timed_steps(loss=losses.Bernoulli()),
    "overlap_any_kernel": timed_steps(loss=overlap(kernel=ANY_KERNEL)),
    "overlap_box_fft": timed_steps(loss=overlap(method="fft")),
    "xla": timed_steps(jit_compile=True),
    "host_pipeline": timed_steps(data=HostXYSquares()),
  }
  times = in_turn(variants, ROUNDS.value)
  found = {"cores": os.cpu_count(), "steps": STEPS.value, "rounds": ROUNDS.value}
  for clock in ("wall", "cpu"):
    plain = median_seconds(times, clock)["plain"] / STEPS.value
    found[clock] = {
      "plain_seconds": round(plain, 3),
      "ratios": ratios(times, "plain", clock),
    }
  print(json.dumps(found))


if __name__ == "__main__":
  app.run(main)

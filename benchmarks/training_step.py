"""Seconds a training step takes, as ratios to a plain one; prints one JSON line.

  python benchmarks/training_step.py [--steps 20]

Plain is the paper's convolutional beta-VAE on XYSquares, squared error, batches of 256
made on the device. The others change one thing each: the overlap loss by products
or by Fourier transform, XLA, or batches through the host's tf.data pipeline, where
starving the step would show as a ratio well above 1.
"""

import json
import os
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import tensorflow as tf
from absl import app, flags

from disentangle_tf import losses, models, networks
from disentangle_tf.data import Batches, XYSquares
from disentangle_tf.training.step_runner import StepRunner

STEPS = flags.DEFINE_integer("steps", 20, "Steps to time, after a warm-up.")
BATCH_SIZE = 256


class HostXYSquares(XYSquares):
  """XYSquares through the host's pipeline."""

  renders_on_device = False


def overlap(method):
  return losses.Overlap(losses.MSE(), losses.box_kernel(31), method=method)


def seconds_a_step(*, data=None, loss=None, jit_compile=False):
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
    last_step=STEPS.value + 3,
  )
  runner.run(0, 3)
  started = time.perf_counter()
  runner.run(3, STEPS.value)
  return (time.perf_counter() - started) / STEPS.value


def main(_):
  plain = seconds_a_step()
  variants = {
    "overlap_separable": seconds_a_step(loss=overlap("separable")),
    "overlap_fft": seconds_a_step(loss=overlap("fft")),
    "xla": seconds_a_step(jit_compile=True),
    "host_pipeline": seconds_a_step(data=HostXYSquares()),
  }
  ratios = {name: round(seconds / plain, 2) for name, seconds in variants.items()}
  print(json.dumps({"plain_seconds": round(plain, 3), "ratios": ratios}))


if __name__ == "__main__":
  app.run(main)

"""The models that several benchmarks measure, and functions that take their steps."""

import keras
import tensorflow as tf
from interleaved import timed

from disentangle_tf import losses, models, networks
from disentangle_tf.data import Batches
from disentangle_tf.training.loop import StepRunner

BATCH_SIZE = 256
LATENTS = 25
BETA = 0.0316


def conv_model(data, *, loss=None, kind=models.BetaVAE, latents=LATENTS, **settings):
  """The convolutional networks of Michlo et al., by default in their beta-VAE."""
  shape = data.observation_shape
  return _compiled(
    kind(
      networks.conv_encoder(shape, latents=latents),
      networks.conv_decoder(shape, latents=latents),
      loss or losses.MSE(),
      standardisation=data.standardisation(),
      **(settings or {"beta": BETA}),
    )
  )


def mlp_model(data, *, latents=9, units=(256, 256)):
  """The demo's dense networks."""
  shape = data.observation_shape
  return _compiled(
    models.BetaVAE(
      networks.mlp_encoder(shape, latents=latents, units=units),
      networks.mlp_decoder(shape, latents=latents, units=units),
      losses.MSE(),
      beta=BETA,
      standardisation=data.standardisation(),
    )
  )


def step_taker(model, data, *, jit_compile=False, batch_size=BATCH_SIZE, **sampling):
  """Return a function that takes a number of training steps, as `training.train`."""
  runner = StepRunner(
    model,
    Batches(data, batch_size=batch_size, **sampling),
    strategy=tf.distribute.get_strategy(),
    jit_compile=jit_compile,
    first_step=0,
    last_step=10**6,
  )
  taken = 0

  def take(count):
    nonlocal taken
    runner.run(taken, count)
    taken += count

  return take


def timed_steps(take, steps, *, warm_up=2):
  """Warm up `take`, and return a function that times some of its steps.

  Before its turn it takes two steps without timing, which consume batches that a
  pipeline prepared in the meantime.
  """
  take(warm_up)
  return timed(lambda: take(steps), before=lambda: take(warm_up))


def _compiled(model):
  model.compile(keras.optimizers.Adam(1e-3), jit_compile=False)
  model.optimizer.build(model.trainable_variables)
  return model

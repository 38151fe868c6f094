"""Hot paths may not lose more than 30 % against a simple version of themselves.

Each guard runs the path and a hand-written baseline in turn, in one process, and takes
the median of the ratios of CPU time, so that neither the machine nor other load
matters. Both use one core, because two threads on one physical core take more CPU time
than one after another. The baseline does the same arithmetic, so a ratio is near 1 on
any CPU, unless a path does more: exact distances trace a graph and make each image
twice. `benchmarks/run.py` measures absolute speed.
"""

import contextlib
import functools
import os
import statistics
import time

import keras
import numpy as np
import pytest
import tensorflow as tf
import threadpoolctl
from sklearn.ensemble import GradientBoostingClassifier

from disentangle_tf import losses, metrics, models, networks
from disentangle_tf.data import Batches, XYSquares
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.perceived import factor_importance
from disentangle_tf.scoring.encoding import ImageEncoding
from disentangle_tf.training.loop import StepRunner

MOST = 1.3  # times the usual ratio
TRIES = 3  # a slower path is slower in each


def cpu_seconds(function):
  started = time.process_time()
  function()
  return time.process_time() - started


@contextlib.contextmanager
def one_core():
  """New threads share a core with this one; TensorFlow's threads are as before."""
  allowed = os.sched_getaffinity(0)
  os.sched_setaffinity(0, {min(allowed)})
  try:
    with threadpoolctl.threadpool_limits(1):
      yield
  finally:
    os.sched_setaffinity(0, allowed)


def ratio(ours, baseline, rounds):
  """Median ratio of CPU seconds of the two functions, called in turn."""
  found = []
  with one_core():
    for turn in range(rounds):
      order = (ours, baseline) if turn % 2 else (baseline, ours)
      seconds = {function: cpu_seconds(function) for function in order}
      found.append(seconds[ours] / seconds[baseline])
  return statistics.median(found)


def is_slower(ours, baseline, *, usual, rounds=5, tries=TRIES):
  """Whether `ours` takes more than `MOST` times the usual multiple of `baseline`."""
  ours(), baseline()
  found = []
  for _ in range(tries):
    found.append(ratio(ours, baseline, rounds))
    print(f"ratio {found[-1]:.2f}, usually {usual}")
    if found[-1] <= MOST * usual:
      return False
  return True


def overlap_loss():
  """Value and gradient on [32, 64, 64, 3], against two matrix products by hand."""
  images, targets = tf.random.stateless_uniform([2, 32, 64, 64, 3], (0, 0))
  loss = losses.Overlap(losses.MSE(), losses.box_kernel(15))
  band = np.abs(np.subtract.outer(range(64), range(64))) <= 15
  band = band / 31
  down = tf.constant(band @ band, tf.float32)
  across = tf.constant(np.kron(band @ band, np.eye(3)), tf.float32)

  @tf.function
  def ours():
    with tf.GradientTape() as tape:
      tape.watch(images)
      values = loss.per_image(targets, images)
      total = tf.reduce_sum(values)
    return values, tape.gradient(total, images)

  @tf.function
  def baseline():
    difference = targets - images
    rows = tf.reshape(tf.reshape(difference, [-1, 192]) @ across, [-1, 64, 192])
    mapped = difference + 31**2 * tf.reshape(down @ rows, [-1, 64, 64, 3])
    return tf.reduce_sum(difference * mapped, axis=(1, 2, 3)), -2 * mapped

  for mine, simple in zip(ours(), baseline(), strict=True):
    np.testing.assert_allclose(mine, simple, rtol=1e-3, atol=1e-2)
  return lambda: ours()[1].numpy(), lambda: baseline()[1].numpy()


def training_step(encoder, decoder, data):
  """Steps of a beta-VAE, against a loop around a tape and an optimiser."""
  latents, batch_size, steps = decoder.input_shape[-1], 16, 4

  def compiled():
    keras.utils.set_random_seed(0)
    networks = [keras.models.clone_model(each) for each in (encoder, decoder)]
    settings = {"beta": 0.5, "standardisation": data.standardisation()}
    model = models.BetaVAE(*networks, losses.MSE(), **settings)
    model.compile(keras.optimizers.Adam(1e-3), jit_compile=False)
    model.optimizer.build(model.trainable_variables)
    return model

  model, simple = compiled(), compiled()
  mean, std = (tf.constant(part, tf.float32) for part in data.standardisation())
  runner = StepRunner(
    model,
    Batches(data, batch_size=batch_size),
    strategy=tf.distribute.get_strategy(),
    jit_compile=False,
    first_step=0,
    last_step=10**6,
  )

  def take_a_step(step):
    seed = tf.stack([step, 0])
    points = tf.random.stateless_uniform([batch_size, 4], seed)
    factors = tf.cast(points * tf.constant(data.factors.sizes, tf.float32), tf.int32)
    images = (data.observe(factors) - mean) / std
    with tf.GradientTape() as tape:
      centre, log_variance = tf.split(simple.encoder(images, training=True), 2, axis=1)
      noise = tf.random.stateless_normal([batch_size, latents], seed)
      made = simple.decoder(centre + tf.exp(0.5 * log_variance) * noise, training=True)
      divergence = 0.5 * (centre**2 + tf.exp(log_variance) - 1 - log_variance)
      loss = tf.reduce_mean((made - images) ** 2) + 0.5 * tf.reduce_mean(divergence)
    gradients = tape.gradient(loss, simple.trainable_variables)
    simple.optimizer.apply(gradients, simple.trainable_variables)
    return loss

  @tf.function
  def baseline(first):
    found = tf.TensorArray(tf.float32, size=steps)
    for i in tf.range(steps):
      found = found.write(i, take_a_step(first + i))
    return found.stack()

  return lambda: runner.run(0, steps), lambda: baseline(tf.constant(0)).numpy()


def conv_step():
  data = XYSquares(image_size=32, square_size=4, grid_spacing=4, num_squares=2)
  shape = data.observation_shape
  return training_step(
    networks.conv_encoder(shape, latents=6),
    networks.conv_decoder(shape, latents=6),
    data,
  )


def mlp_step():
  data = XYSquares(image_size=16, square_size=2, grid_spacing=2, num_squares=2)
  shape = data.observation_shape
  return training_step(
    networks.mlp_encoder(shape, latents=6, units=(256, 256)),
    networks.mlp_decoder(shape, latents=6, units=(256, 256)),
    data,
  )


def exact_distances():
  """Mean distances along each factor of 10,000 images, against NumPy."""
  data = XYSquares(image_size=31, square_size=4, grid_spacing=3, num_squares=2)
  sizes, count = data.factors.sizes, data.factors.num_points

  def ours():
    found = factor_importance(data, losses.MSE(), num_pairs=64, exact=True)
    return [row["mean"] for row in found["factors"].values()]

  def baseline():
    points = data.factors.to_factors(np.arange(count))
    parts = [data.observe(points[i : i + 256]).numpy() for i in range(0, count, 256)]
    images = np.concatenate(parts).reshape(*sizes, -1)
    means = []
    for factor, size in enumerate(sizes):
      lines = np.moveaxis(images, factor, -2).reshape(-1, size, images.shape[-1])
      products = lines @ lines.transpose(0, 2, 1)
      squares = np.einsum("nii->ni", products)
      distances = squares[:, :, None] + squares[:, None, :] - 2 * products
      means.append(distances.sum() / (len(lines) * size * (size - 1)) / lines.shape[-1])
    return means

  np.testing.assert_allclose(ours(), baseline(), rtol=1e-4)
  return ours, baseline


def codes_and_factors(count, sizes, latents):
  rng = np.random.default_rng(0)
  factors = rng.integers(sizes, size=(count, len(sizes)))
  codes = rng.normal(size=(count, latents)).astype(np.float32)
  codes[:, : len(sizes)] += factors
  return codes, factors


def mig():
  """MIG of 20,000 points, against counts of NumPy."""
  sizes = (3, 6, 40, 32, 32)
  codes, factors = codes_and_factors(20_000, sizes, latents=10)

  def baseline():
    binned = [np.digitize(code, np.histogram(code, 20)[1][:-1]) for code in codes.T]
    gaps = []
    for factor, size in zip(factors.T, sizes, strict=True):
      entropy = of_counts(np.bincount(factor))
      shared = [
        entropy
        + of_counts(np.bincount(each))
        - of_counts(np.bincount(size * each + factor))
        for each in binned
      ]
      first, second = sorted(shared)[:-3:-1]
      gaps.append((first - second) / entropy)
    return np.mean(gaps)

  def of_counts(counts):
    shares = counts[counts > 0] / counts.sum()
    return -np.sum(shares * np.log(shares))

  np.testing.assert_allclose(metrics.mig(codes, factors)["mig"], baseline(), rtol=1e-4)
  return lambda: metrics.mig(codes, factors), baseline


def dci():
  """DCI of 150 points, against scikit-learn's trees alone."""
  codes, factors = codes_and_factors(150, (3,), latents=3)

  def baseline():
    for factor in factors.T:
      model = GradientBoostingClassifier(random_state=0).fit(codes, factor)
      model.score(codes, factor)

  return lambda: metrics.dci(codes, factors, codes, factors), baseline


def encode():
  """Codes of 1,024 images of a live model, against calls of its encoder."""
  data = XYSquares(image_size=32, square_size=4, grid_spacing=4, num_squares=2)
  shape = data.observation_shape
  model = models.BetaVAE(
    networks.conv_encoder(shape, latents=6),
    networks.conv_decoder(shape, latents=6),
    losses.MSE(),
    beta=1.0,
    standardisation=data.standardisation(),
  )
  mean, std = (tf.constant(part, tf.float32) for part in data.standardisation())
  images = data.observe(data.factors.draw(256, np.random.default_rng(0))).numpy()

  def ours():
    return ImageEncoding(LiveModel(model).encode).encode([images] * 4, 1024)

  def baseline():
    found = [model.encoder((images - mean) / std).numpy() for _ in range(4)]
    return np.concatenate(found)

  np.testing.assert_allclose(ours()[0], baseline()[:, :6], rtol=1e-4, atol=1e-6)
  return ours, baseline


GUARDS = {  # the usual ratio of each
  overlap_loss: 1.0,
  conv_step: 1.05,
  mlp_step: 1.1,
  exact_distances: 2.75,
  mig: 1.3,
  dci: 1.2,
  encode: 1.1,
}


@functools.cache
def made(guard):
  """(hot path, baseline), built once."""
  return guard()


@pytest.mark.parametrize("guard", GUARDS)
def test_no_hot_path_lost_its_speed(guard):
  assert not is_slower(*made(guard), usual=GUARDS[guard])


@pytest.mark.parametrize("guard", GUARDS)
def test_each_guard_notices_a_slower_path(guard):
  ours, baseline = made(guard)

  def slowed():  # by as much again, since a ratio may be below the usual one
    extra = cpu_seconds(ours)
    until = time.process_time() + extra
    while time.process_time() < until:
      pass

  assert is_slower(slowed, baseline, usual=GUARDS[guard], rounds=3, tries=1)

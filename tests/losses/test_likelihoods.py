import keras
import numpy as np
import pytest
import tensorflow as tf
from loss_checks import PARAMETERS, TARGETS, run_loss_test
from scipy import integrate, stats

from disentangle_tf.errors import UserError
from disentangle_tf.losses import (
  MSE,
  Bernoulli,
  ContinuousBernoulli,
  Normal,
  Overlap,
  box_kernel,
)
from disentangle_tf.losses.likelihoods import approximate_logits, check_epsilon


def test_bernoulli_from_logits():
  probability = 1 / (1 + np.exp(-PARAMETERS.astype(np.float64)))
  expected = -TARGETS * np.log(probability) - (1 - TARGETS) * np.log(1 - probability)
  np.testing.assert_allclose(Bernoulli()(TARGETS, PARAMETERS), expected, rtol=1e-5)
  np.testing.assert_allclose(Bernoulli().images(PARAMETERS), probability, rtol=1e-6)
  np.testing.assert_allclose(
    Bernoulli().distance(TARGETS, probability.astype(np.float32)), expected, rtol=1e-4
  )


def _with_gradients(function, *arguments):
  tensors = [tf.constant(each) for each in arguments]
  with tf.GradientTape() as tape:
    tape.watch(tensors)
    values = tf.reshape(function(*tensors), [-1])
    total = tf.reduce_sum(values * tf.range(1.0, 1.0 + tf.size(values, tf.float32)))
  return [values, *tape.gradient(total, tensors)]


def test_gradients_of_bernoulli_are_those_tensorflow_derives():
  """Of the loss by logits, and of the distance, whose clipped pixels have none."""

  def by_logits(targets, logits):
    logs = tf.math.log_sigmoid(logits), tf.math.log_sigmoid(-logits)
    return -targets * logs[0] - (1 - targets) * logs[1]

  def by_images(targets, images):
    clipped = tf.clip_by_value(images, 0.1, 0.9)
    logs = tf.math.log(clipped), tf.math.log(1 - clipped)
    return -targets * logs[0] - (1 - targets) * logs[1]

  loss = Bernoulli(epsilon=0.1)
  images = np.linspace(0, 1, TARGETS.size, dtype=np.float32).reshape(TARGETS.shape)
  for ours, expected, second in (
    (loss, by_logits, PARAMETERS),
    (loss.distance, by_images, images),
  ):
    found = _with_gradients(ours, TARGETS, second)
    for value, known in zip(
      found, _with_gradients(expected, TARGETS, second), strict=True
    ):
      np.testing.assert_allclose(value, known, rtol=1e-4, atol=1e-4)


def test_bernoulli_between_binary_images_is_finite():
  distance = Bernoulli(epsilon=1e-6).distance(tf.constant([1.0]), tf.constant([0.0]))
  assert float(distance[0]) == pytest.approx(-np.log(1e-6), rel=1e-5)


def test_what_every_loss_promises():
  run_loss_test(Bernoulli(epsilon=1e-3), standardised=False, of_difference=False)


def test_defaults():
  assert Bernoulli().epsilon == 1e-6


@pytest.mark.parametrize("epsilon", [0, -1e-3, 0.5, np.nan, "1e-3", None])
def test_impossible_epsilon(epsilon):
  with pytest.raises(UserError, match="Bernoulli.epsilon"):
    Bernoulli(epsilon=epsilon)
  with pytest.raises(UserError, match="Mine.epsilon"):
    check_epsilon("Mine", epsilon)


# From where the series takes over to where exp overflows.
LOGITS = np.array(
  [0, 1e-8, 1e-3, 0.1, 0.32, 0.33, 0.38, 0.6, 3, 15.9, 16, 50, 100, 1e4], np.float32
)
LOGITS = np.concatenate([-LOGITS[:0:-1], LOGITS])


def _by_series(logits, near, series, formula):
  """`formula` of float64 logits, but `series` where they are less than `near`."""
  s = np.asarray(logits, np.float64)
  small = np.abs(s) < near
  with np.errstate(over="ignore"):
    return np.where(small, series(s), formula(np.where(small, 1.0, s)))


def _log_normaliser(logits):
  """log((exp(s) - 1) / s), of the density exp(s x) on [0, 1]."""
  return _by_series(
    logits,
    1e-4,
    lambda s: s / 2 + s**2 / 24,
    lambda s: np.maximum(s, 0) + np.log(-np.expm1(-np.abs(s)) / np.abs(s)),
  )


def _mean(logits):
  return _by_series(
    logits,
    1e-2,
    lambda s: 0.5 + s / 12 - s**3 / 720,
    lambda s: -1 / np.expm1(-s) - 1 / s,
  )


def _variance(logits):
  return _by_series(
    logits,
    0.05,
    lambda s: 1 / 12 - s**2 / 240 + s**4 / 6048,
    lambda s: 1 / s**2 - 1 / (4 * np.sinh(s / 2) ** 2),
  )


@pytest.mark.parametrize("logit", [-20.0, -3.0, -1e-3, 0.0, 0.5, 8.0])
def test_it_is_a_density_with_its_mean(logit):
  loss = ContinuousBernoulli()

  def density(x):
    return np.exp(-loss(x.astype(np.float32), tf.constant(logit)).numpy())

  total, _ = integrate.fixed_quad(density, 0, 1, n=50)
  mean, _ = integrate.fixed_quad(lambda x: x * density(x), 0, 1, n=50)
  assert total == pytest.approx(1, abs=1e-5)
  assert float(loss.images(tf.constant(logit))) == pytest.approx(mean, abs=1e-5)


@pytest.mark.parametrize("jit_compile", [False, True])
def test_values_and_slopes_in_float32(jit_compile):
  logits, targets = np.meshgrid(LOGITS, np.array([0, 0.25, 0.5, 1], np.float32))
  loss = ContinuousBernoulli()

  @tf.function(jit_compile=jit_compile)
  def value_and_gradients(logits):
    with tf.GradientTape(persistent=True) as tape:
      tape.watch(logits)
      value, images = loss(targets, logits), loss.images(logits)
    return value, tape.gradient(value, logits), images, tape.gradient(images, logits)

  value, slope, images, spread = value_and_gradients(tf.constant(logits))
  expected = _log_normaliser(logits) - logits.astype(np.float64) * targets
  np.testing.assert_allclose(value, expected, rtol=2e-6, atol=2e-6)
  np.testing.assert_allclose(images, _mean(logits), atol=2e-6)
  np.testing.assert_allclose(slope, _mean(logits) - targets, atol=3e-6)
  np.testing.assert_allclose(spread, _variance(logits), rtol=1e-4)


def test_the_distance_is_the_loss_of_the_parameters_behind():
  loss = ContinuousBernoulli()
  parameters = tf.constant(10 * PARAMETERS)
  images = loss.images(parameters)
  np.testing.assert_allclose(
    loss.distance(TARGETS, images), loss(TARGETS, parameters), rtol=1e-4, atol=1e-4
  )
  with tf.GradientTape(persistent=True) as tape:
    tape.watch([parameters, images])
    through = loss.distance(TARGETS, loss.images(parameters))
    direct = loss(TARGETS, parameters)
    distance = loss.distance(TARGETS, images)
  np.testing.assert_allclose(
    tape.gradient(through, parameters), tape.gradient(direct, parameters), atol=1e-4
  )
  np.testing.assert_allclose(
    tape.gradient(distance, images) * _variance(parameters),
    images - TARGETS,
    atol=1e-4,
  )


def test_newtons_method_starts_near_the_logits():
  logits = np.concatenate([np.geomspace(0.02, 500, 200), -np.geomspace(0.02, 500, 200)])
  np.testing.assert_allclose(approximate_logits(_mean(logits)), logits, rtol=2.8e-3)
  errors = approximate_logits(_mean(logits)) / logits - 1
  assert np.abs(errors).max() > 2.6e-3  # it is this approximation, and no other


def test_the_distance_is_smallest_between_equal_images():
  grey = np.linspace(0, 1, 21, dtype=np.float32)
  distance = ContinuousBernoulli(epsilon=0.01).distance(grey[:, None], grey[None, :])
  np.testing.assert_array_equal(np.argmin(distance, axis=1), np.arange(21))


def test_the_distance_is_finite_between_binary_images():
  epsilon = 1e-3
  loss = ContinuousBernoulli(epsilon=epsilon)
  x, y = tf.constant([0.0, 0.0, 1.0, 1.0]), tf.constant([0.0, 1.0, 0.0, 1.0])
  # At the edge the density is that of an exponential distribution of mean epsilon.
  far, near = 1 / epsilon + np.log(epsilon), np.log(epsilon)
  np.testing.assert_allclose(loss.distance(x, y), [near, far, far, near], rtol=1e-4)
  # Neither do the rounding errors of a blur make it infinite.
  assert np.isfinite(loss.distance(tf.constant([-1e-7, 1 + 1e-6]), 0.5)).all()


def test_continuous_bernoulli_what_every_loss_promises():
  run_loss_test(
    ContinuousBernoulli(epsilon=0.01), standardised=False, of_difference=False
  )


def test_continuous_bernoulli_defaults():
  assert ContinuousBernoulli().epsilon == 1e-3


@pytest.mark.parametrize("learned", [True, False])
def test_it_is_the_negative_log_density(learned):
  loss = Normal(scale=0.3, learned=learned)
  expected = -stats.norm.logpdf(TARGETS, PARAMETERS, 0.3)
  np.testing.assert_allclose(loss(TARGETS, PARAMETERS), expected, rtol=1e-4)
  np.testing.assert_allclose(loss.distance(TARGETS, PARAMETERS), expected, rtol=1e-4)
  assert len(loss.variables) == learned


def test_it_learns_the_scale_of_the_noise():
  noise = 0.2 * np.random.default_rng(1).normal(size=(64, 8, 8, 1)).astype(np.float32)
  loss = Normal()
  (log_scale,) = loss.variables
  assert isinstance(log_scale, keras.Variable) and log_scale.trainable
  optimizer = keras.optimizers.Adam(0.05)

  @tf.function(jit_compile=True)
  def step():
    with tf.GradientTape() as tape:
      value = tf.reduce_mean(loss(noise, tf.zeros_like(noise)))
    gradient = tape.gradient(value, log_scale)
    optimizer.apply([gradient], [log_scale])
    return value, gradient

  optimizer.build([log_scale])
  _, first = step()
  # d/d log s of log s + e^2 / 2 s^2 at s = 1
  assert float(first) == pytest.approx(1 - np.mean(noise**2), rel=1e-5)
  for _ in range(200):
    value, _ = step()
  root_mean_square = np.sqrt(np.mean(noise**2))
  assert np.exp(log_scale.numpy()) == pytest.approx(root_mean_square, rel=1e-3)
  assert np.exp(log_scale.numpy()) == pytest.approx(0.2, rel=0.03)
  assert float(value) == pytest.approx(
    0.5 * np.log(2 * np.pi * np.e * np.mean(noise**2)), abs=1e-4
  )
  assert Overlap(loss, box_kernel(1), alpha=1.0).variables == (log_scale,)


@pytest.mark.parametrize("scale", [0, -1.0, np.inf, np.nan, "1", None])
def test_impossible_scale(scale):
  with pytest.raises(UserError, match="Normal.scale"):
    Normal(scale=scale)


def test_what_was_learned_becomes_a_setting():
  loss = Normal(scale=0.5)
  loss.log_scale.assign(np.log(0.2))
  trained = loss.as_trained()
  assert trained.scale == pytest.approx(0.2) and not trained.learned
  np.testing.assert_allclose(
    trained(TARGETS, PARAMETERS), loss(TARGETS, PARAMETERS), rtol=1e-5
  )
  plain = MSE()
  assert plain.as_trained() is plain


@pytest.mark.parametrize(
  "options", [{"scale": 0.5}, {"scale": 2.0, "learned": False}], ids=str
)
def test_normal_what_every_loss_promises(options):
  run_loss_test(Normal(**options), standardised=True, of_difference=True)


def test_normal_defaults():
  assert Normal().scale == 1.0 and Normal().learned

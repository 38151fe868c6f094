import keras
import numpy as np
import pytest
import tensorflow as tf
from scipy import signal

from disentangle_tf.data import XYSquares
from disentangle_tf.errors import UserError
from disentangle_tf.losses import (
  MAE,
  MSE,
  Bernoulli,
  ContinuousBernoulli,
  Normal,
  Overlap,
  SigmoidMSE,
  box_kernel,
  gaussian_kernel,
)

# The whole loss between position 0 and positions 1 to 7 of the red square along x, at
# y_R = 3 and y_R = 0; they differ because the blur meets the border.
_KNOWN = {
  3: [0.036683, 0.075778, 0.114873, 0.158854, 0.197949, 0.237043, 0.276138],
  0: [0.025849, 0.048819, 0.071789, 0.097630, 0.120599, 0.143569, 0.166539],
}


@pytest.mark.parametrize("method", ["fft", "separable"])
@pytest.mark.parametrize("y_red", [3, 0])
def test_known_distances_on_xysquares(method, y_red):
  data = XYSquares()
  images = data.observe(data.factors.traversal((0, y_red, 2, 5, 1, 1), 0))
  loss = Overlap(MSE(), box_kernel(31), alpha=63**2, method=method)
  distances = tf.reduce_mean(loss.distance(images[:1], images[1:]), axis=[1, 2, 3])
  np.testing.assert_allclose(distances, _KNOWN[y_red], atol=1e-6)


INNER = [MSE(), MAE(), SigmoidMSE(), Bernoulli(), ContinuousBernoulli(), Normal()]
KERNELS = {
  "box": box_kernel(2),
  "gaussian": gaussian_kernel(4),
  "not separable": np.random.default_rng(1).dirichlet(np.ones(15)).reshape(5, 3),
}


def _name(loss):
  return type(loss).__name__


def _convolved(images, kernel):
  return signal.convolve(images, kernel[None, :, :, None], "same", "direct")


@pytest.mark.parametrize("inner", INNER, ids=_name)
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_is_the_sum_of_the_plain_and_the_blurred_loss(inner, kernel):
  rng = np.random.default_rng(0)
  targets = rng.random((2, 8, 8, 2), np.float32)
  parameters = rng.normal(size=(2, 8, 8, 2)).astype(np.float32)
  loss = Overlap(inner, kernel, alpha=7.0)
  images = np.asarray(inner.images(parameters))
  blurred = inner.distance(
    *(_convolved(values, kernel.astype(np.float32)) for values in (targets, images))
  )
  tolerance = {"rtol": 5e-4, "atol": 5e-5}
  np.testing.assert_allclose(
    loss(targets, parameters), inner(targets, parameters) + 7.0 * blurred, **tolerance
  )
  np.testing.assert_allclose(
    loss.distance(targets, images),
    inner.distance(targets, images) + 7.0 * blurred,
    **tolerance,
  )
  assert loss.standardised == inner.standardised
  assert loss.variables == inner.variables


def _value_distance_and_slope(loss, images, parameters):
  with tf.GradientTape() as tape:
    tape.watch(parameters)
    value = loss(images, parameters)
  return value, loss.distance(images, images[::-1]), tape.gradient(value, parameters)


@pytest.mark.parametrize("inner", INNER, ids=_name)
@pytest.mark.parametrize("method", ["fft", "separable"])
def test_finite_on_binary_images(inner, method):
  data = XYSquares(image_size=8, square_size=2, grid_spacing=2, num_squares=1)
  images = data.observe([[0, 0], [3, 2]])
  parameters = tf.constant(20 * (images[::-1] - 0.5))
  loss = Overlap(inner, box_kernel(7), alpha=225, method=method)
  for values in _value_distance_and_slope(loss, images, parameters):
    assert np.isfinite(values).all()


@pytest.mark.parametrize("inner", [MSE(), Bernoulli()], ids=_name)  # one blur, two
def test_compiled_it_is_the_same(inner):
  rng = np.random.default_rng(0)
  images = tf.constant(rng.random((2, 8, 8, 1), np.float32))
  parameters = tf.constant(rng.normal(size=images.shape), tf.float32)
  loss = Overlap(inner, KERNELS["not separable"], alpha=15)
  compiled = tf.function(_value_distance_and_slope, jit_compile=True)
  for ours, theirs in zip(
    _value_distance_and_slope(loss, images, parameters),
    compiled(loss, images, parameters),
    strict=True,
  ):
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_round_trip():
  loss = Overlap(Bernoulli(epsilon=0.01), box_kernel(1), alpha=3.0, method="fft")
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert again.get_config() == loss.get_config()
  assert again.loss.epsilon == 0.01


def test_round_trip_of_a_learned_loss_and_any_kernel():
  loss = Overlap(Normal(scale=0.3), KERNELS["not separable"], alpha=15.0)
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert again.get_config() == loss.get_config()
  np.testing.assert_array_equal(again.kernel, loss.kernel)
  assert again.variables[0] is again.loss.log_scale is not loss.loss.log_scale


def test_what_is_no_loss():
  with pytest.raises(UserError, match="Overlap.loss is 'mse'"):
    Overlap("mse", box_kernel(1), alpha=1.0)


WEIGHTS = {"box": 25, "gaussian": 1 / np.sum(gaussian_kernel(4) ** 2)}
WEIGHTS["not separable"] = 1 / sum(x * x for x in KERNELS["not separable"].ravel())


@pytest.mark.parametrize("name", KERNELS)
def test_without_alpha_the_weight_is_one_over_the_sum_of_squares(name):
  rng = np.random.default_rng(0)
  first, second = rng.random((2, 2, 8, 8, 2), np.float32)
  kernel = KERNELS[name]
  loss = Overlap(MSE(), kernel)
  assert loss.alpha == pytest.approx(WEIGHTS[name], rel=1e-11)
  difference = (first - second).astype(np.float64)
  expected = difference**2 + WEIGHTS[name] * _convolved(difference, kernel) ** 2
  np.testing.assert_allclose(loss.distance(first, second), expected, rtol=1e-3)
  ((_, _), (weight, _)) = loss.squared_maps()
  assert weight == loss.alpha


def test_the_weights_of_the_runs():
  """What was written by hand in gin/losses and gin/runs before."""
  assert Overlap(MSE(), box_kernel(31)).alpha == 3969  # the paper's
  assert Overlap(MSE(), box_kernel(7)).alpha == 225  # the demo's
  gaussian = Overlap(MSE(), gaussian_kernel(31))
  assert gaussian.alpha == pytest.approx(4 * np.pi * (31 / 4) ** 2, rel=1e-3)
  assert round(gaussian.alpha) == 755


@pytest.mark.parametrize("alpha", [None, 0, 3, 2.5])
def test_the_configuration_keeps_alpha_as_it_was_given(alpha):
  loss = Overlap(MSE(), box_kernel(1), alpha=alpha)
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert loss.get_config()["alpha"] == again.get_config()["alpha"] == alpha
  assert again.alpha == loss.alpha == (9 if alpha is None else alpha)


def test_a_kernel_without_weight_needs_an_alpha():
  with pytest.raises(UserError, match="no entry other than 0"):
    Overlap(MSE(), np.zeros((3, 3)))
  assert Overlap(MSE(), np.zeros((3, 3)), alpha=1.0).alpha == 1.0


def test_alpha_is_a_number_from_0_up():
  with pytest.raises(UserError, match="Overlap.alpha is -1"):
    Overlap(MSE(), box_kernel(1), alpha=-1)


@pytest.mark.parametrize(
  "loss",
  [
    MSE(),
    SigmoidMSE(),
    MAE(),
    Bernoulli(),
    Normal(scale=0.5, learned=True),
    Overlap(MSE(), box_kernel(2)),
    Overlap(MSE(), np.random.default_rng(2).random((5, 5)), method="fft"),
  ],
  ids=lambda loss: type(loss).__name__,
)
def test_sums_over_an_image_and_their_gradients(loss):
  """Squared errors take another way to the same numbers."""
  overlap = Overlap(loss, gaussian_kernel(3), alpha=2.0)
  targets, parameters = (
    tf.constant(np.random.default_rng(seed).random((3, 8, 9, 2), np.float32))
    for seed in (0, 1)
  )
  with tf.GradientTape(persistent=True) as tape:
    tape.watch(parameters)
    found = overlap.per_image(targets, parameters)
    expected = tf.reduce_sum(overlap(targets, parameters), (1, 2, 3))
  np.testing.assert_allclose(found, expected, rtol=1e-5)
  for source in (parameters, *overlap.variables):
    first, second = (tape.gradient(each, source) for each in (found, expected))
    np.testing.assert_allclose(first, second, rtol=1e-4, atol=1e-5)

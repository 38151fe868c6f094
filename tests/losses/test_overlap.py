import keras
import numpy as np
import pytest
import tensorflow as tf

from disentangle_tf.data import XYSquares
from disentangle_tf.losses import MSE, Bernoulli, Blur, Overlap, box_kernel

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


@pytest.mark.parametrize("inner", [MSE(), Bernoulli()])
def test_is_the_sum_of_the_plain_and_the_blurred_loss(inner):
  rng = np.random.default_rng(0)
  targets = tf.constant(rng.random((2, 8, 8, 2), np.float32))
  parameters = tf.constant(rng.normal(size=(2, 8, 8, 2)).astype(np.float32))
  kernel = box_kernel(2)
  loss = Overlap(inner, kernel, alpha=7.0)
  blur = Blur(kernel)
  images = inner.images(parameters)
  blurred = inner.distance(blur(targets), blur(images))
  np.testing.assert_allclose(
    loss(targets, parameters), inner(targets, parameters) + 7.0 * blurred, rtol=2e-4
  )
  np.testing.assert_allclose(
    loss.distance(targets, images),
    inner.distance(targets, images) + 7.0 * blurred,
    rtol=2e-4,
  )
  assert loss.standardised == inner.standardised


def test_round_trip():
  loss = Overlap(Bernoulli(epsilon=0.01), box_kernel(1), alpha=3.0, method="fft")
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert again.get_config() == loss.get_config()
  assert again.loss.epsilon == 0.01

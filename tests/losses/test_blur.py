import numpy as np
import pytest
import tensorflow as tf
from scipy import signal

from disentangle_tf.errors import UserError
from disentangle_tf.losses import Blur, box_kernel, gaussian_kernel
from disentangle_tf.losses.blur import _outer_products, fourier_blur


def test_box():
  np.testing.assert_allclose(box_kernel(31), np.full((63, 63), 1 / 63**2))


def test_gaussian():
  kernel = gaussian_kernel(8)
  assert kernel.shape == (17, 17)
  assert kernel.sum() == pytest.approx(1)
  # sigma = 2: one step of 2 from the centre falls by exp(-1/2)
  assert kernel[8, 10] / kernel[8, 8] == pytest.approx(np.exp(-0.5))
  assert kernel[10, 10] / kernel[8, 8] == pytest.approx(np.exp(-1))
  assert kernel[8, 12] / kernel[8, 8] == pytest.approx(np.exp(-2))
  # sigma = 1/4, the least there is
  small = gaussian_kernel(1)
  assert small[1, 2] / small[1, 1] == pytest.approx(np.exp(-8))


@pytest.mark.parametrize("kernel", [box_kernel, gaussian_kernel])
def test_radius_zero_changes_nothing(kernel):
  np.testing.assert_array_equal(kernel(0), [[1.0]])


@pytest.mark.parametrize("radius", [-1, 1.5])
def test_impossible_radius(radius):
  with pytest.raises(UserError, match="radius"):
    box_kernel(radius)


def _images(shape, seed=0):
  return np.random.default_rng(seed).random(shape, np.float32)


def _expected(images, kernel):
  return np.stack(
    [
      np.stack(
        [
          signal.convolve2d(channel, kernel, "same")
          for channel in image.transpose(2, 0, 1)
        ],
        axis=-1,
      )
      for image in images
    ]
  )


@pytest.mark.parametrize("method", ["fft", "separable"])
@pytest.mark.parametrize(
  "kernel",
  [
    box_kernel(3),
    gaussian_kernel(4),
    np.outer([1.0, 2.0, 3.0], [3.0, 0.0, -1.0, 2.0, 5.0]),  # lopsided, not square
    np.array([[3.0]]),
  ],
)
def test_both_methods_are_the_convolution(method, kernel):
  images = _images((2, 12, 9, 3))
  blurred = Blur(kernel, method=method)(images)
  np.testing.assert_allclose(blurred, _expected(images, kernel), atol=1e-5)


@pytest.mark.parametrize("method", ["fft", "separable"])
@pytest.mark.parametrize("size", [4, 15, 16])
def test_kernels_larger_than_the_image(method, size):
  images = _images((1, size, size + 1, 1))
  padded = np.pad(images, [(0, 0), (15, 15), (15, 15), (0, 0)])
  expected = _expected(padded, box_kernel(15))[:, 15:-15, 15:-15]
  np.testing.assert_allclose(
    Blur(box_kernel(15), method=method)(images), expected, atol=1e-5
  )


@pytest.mark.parametrize("method", ["auto", "fft", "separable"])
@pytest.mark.parametrize("sides", [(5, 3), (9, 9), (31, 1)])
def test_any_kernel(method, sides):
  kernel = np.random.default_rng(1).random(sides)
  images = _images((2, 10, 12, 2))
  padded = np.pad(images, [(0, 0), (15, 15), (15, 15), (0, 0)])
  expected = _expected(padded, kernel)[:, 15:-15, 15:-15]
  blurred = Blur(kernel, method=method)(images)
  np.testing.assert_allclose(blurred, expected, atol=2e-5)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_the_number_of_outer_products_does_not_depend_on_the_scale(scale):
  one = np.outer([1.0, 2.0, 3.0], [3.0, 0.0, -1.0, 2.0, 5.0])
  two = one + np.outer([1, 0, 1], [0, 1, 1, 0, 0])
  for number, kernel in ((1, one), (2, two), (1, 0 * one)):
    parts = _outer_products(scale * kernel)
    assert len(parts) == number
    total = sum(np.outer(column, row) for column, row in parts)
    np.testing.assert_allclose(total, scale * kernel, atol=1e-12 * scale)


def test_too_many_outer_products():
  Blur(np.eye(31), method="separable")
  with pytest.raises(UserError, match="a sum of 33 outer products.*fft"):
    Blur(np.eye(33), method="separable")


@pytest.mark.parametrize(
  ("kernel", "shape", "by_products"),
  [
    (box_kernel(31), (64, 64, 3), True),
    (gaussian_kernel(7), (16, 16, 2), True),
    (np.eye(63), (64, 64, 3), False),
    (np.eye(3), (16, 16, 2), True),
  ],
)
def test_the_faster_method_is_taken(kernel, shape, by_products):
  trace = tf.function(Blur(kernel)).get_concrete_function(tf.TensorSpec([None, *shape]))
  operations = {operation.type for operation in trace.graph.get_operations()}
  assert ("RFFT2D" in operations) != by_products


@pytest.mark.parametrize("method", ["fft", "separable"])
def test_the_gradient_of_a_blur_by_a_lopsided_kernel(method):
  kernel = np.random.default_rng(1).random((5, 7))
  images, weights = (tf.constant(_images((2, 8, 9, 2), seed)) for seed in (0, 1))
  with tf.GradientTape(persistent=True) as tape:
    tape.watch(images)
    found = tf.reduce_sum(weights * Blur(kernel, method=method)(images))
    blurred = fourier_blur(images, tf.constant(kernel, tf.float32))
    expected = tf.reduce_sum(weights * blurred)
  first, second = (tape.gradient(total, images) for total in (found, expected))
  np.testing.assert_allclose(first, second, atol=1e-5 * np.abs(second).max())


@pytest.mark.parametrize("method", ["fft", "separable"])
@pytest.mark.parametrize(
  "kernel",
  [
    box_kernel(3),
    np.outer([1.0, 2.0, 3.0], [3.0, 0.0, -1.0, 2.0, 5.0]),
    np.random.default_rng(1).random((5, 7)),
  ],
)
def test_squares_of_blurred_images_and_their_gradient(method, kernel):
  images, weights = tf.constant(_images((3, 8, 9, 2))), tf.constant([1.0, -2.0, 0.5])
  with tf.GradientTape(persistent=True) as tape:
    tape.watch(images)
    found = Blur(kernel, method=method).squares(images, 3.0)
    blurred = fourier_blur(images, tf.constant(kernel, tf.float32))
    expected = tf.reduce_sum(images**2 + 3 * blurred**2, (1, 2, 3))
    totals = [tf.reduce_sum(weights * values) for values in (found, expected)]
  np.testing.assert_allclose(found, expected, rtol=1e-5)
  first, second = (tape.gradient(total, images) for total in totals)
  np.testing.assert_allclose(first, second, atol=1e-5 * np.abs(second).max())


@pytest.mark.parametrize("kernel", [box_kernel(31), gaussian_kernel(31)])
def test_methods_agree_at_the_papers_size(kernel):
  images = _images((2, 64, 64, 3))
  by_fft, by_products = (Blur(kernel, method=m)(images) for m in ("fft", "separable"))
  np.testing.assert_allclose(by_fft, by_products, atol=1e-5)
  np.testing.assert_allclose(Blur(kernel)(images), by_products, atol=1e-6)


@pytest.mark.parametrize("method", ["fft", "separable"])
def test_compiles_and_has_a_gradient(method):
  blur = Blur(box_kernel(2), method=method)
  images = tf.constant(_images((1, 6, 6, 1)))

  @tf.function(jit_compile=True)
  def gradient(images):
    with tf.GradientTape() as tape:
      tape.watch(images)
      loss = tf.reduce_sum(blur(images)[:, 3, 3])
    return tape.gradient(loss, images)

  expected = np.zeros((6, 6), np.float32)
  expected[1:6, 1:6] = 1 / 25
  np.testing.assert_allclose(gradient(images)[0, :, :, 0], expected, atol=1e-6)


def test_has_a_gradient_to_the_kernel():
  images = _images((1, 6, 5, 1))
  kernel = tf.constant(_images((3, 5), seed=1))
  with tf.GradientTape() as tape:
    tape.watch(kernel)
    pixel = fourier_blur(tf.constant(images), kernel)[0, 2, 2, 0]
  # The pixel (2, 2) is the sum of kernel[1 + i, 2 + j] * images[2 - i, 2 - j].
  np.testing.assert_allclose(
    tape.gradient(pixel, kernel), images[0, 3:0:-1, ::-1, 0], atol=1e-6
  )


@pytest.mark.parametrize(
  ("kernel", "options"),
  [(np.ones((2, 3)), {}), (np.ones(3), {}), (np.ones((3, 3)), {"method": "slow"})],
)
def test_what_is_no_kernel_or_method(kernel, options):
  with pytest.raises(UserError):
    Blur(kernel, **options)

import numpy as np
import pytest
import tensorflow as tf
from scipy import signal

from disentangle_tf.errors import UserError
from disentangle_tf.losses import Blur, box_kernel, gaussian_kernel
from disentangle_tf.losses.blur import fourier_blur


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


def test_any_kernel_goes_through_the_fourier_transform():
  kernel = np.random.default_rng(1).random((5, 3))
  images = _images((2, 10, 10, 2))
  np.testing.assert_allclose(Blur(kernel)(images), _expected(images, kernel), atol=1e-5)
  with pytest.raises(UserError, match="fft"):
    Blur(kernel, method="separable")


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_whether_a_kernel_is_an_outer_product_does_not_depend_on_its_scale(scale):
  one = np.outer([1.0, 2.0, 3.0], [3.0, 0.0, -1.0, 2.0, 5.0])
  two = one + np.outer([1, 0, 1], [0, 1, 1, 0, 0])
  Blur(scale * one, method="separable")
  with pytest.raises(UserError, match="not an outer product"):
    Blur(scale * two, method="separable")


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

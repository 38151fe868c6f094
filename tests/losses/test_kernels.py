import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.losses import box_kernel, gaussian_kernel


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

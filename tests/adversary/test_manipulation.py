import keras
import numpy as np
import pytest

from disentangle_tf import networks
from disentangle_tf.adversary import Manipulation
from disentangle_tf.adversary.manipulation import scaled_factors
from disentangle_tf.errors import UserError


def _manipulation(**options):
  keras.utils.set_random_seed(0)
  picture = networks.mlp_decoder((4, 4, 1), latents=1, units=(8,))
  return Manipulation(picture, num_factors=3, **options)


def test_pictures_are_a_function_of_one_scalar():
  manipulation = _manipulation()
  kernel, bias = manipulation.scalar.get_weights()
  factors = np.random.default_rng(0).uniform(-1, 1, (5, 3)).astype(np.float32)
  turned = np.linalg.svd(kernel)[0][:, 1]  # orthogonal to what the scalar sees
  np.testing.assert_allclose(manipulation.scalar(factors), factors @ kernel + bias)
  np.testing.assert_allclose(
    manipulation(factors), manipulation((factors + turned).astype("f4")), atol=1e-5
  )


def test_pixels_are_bounded():
  manipulation = _manipulation()
  manipulation.picture.set_weights(
    [100 * weight for weight in manipulation.picture.get_weights()]
  )
  pictures = manipulation(np.ones((2, 3), np.float32)).numpy()
  assert pictures.shape == (2, 4, 4, 1) and np.abs(pictures).max() <= 1
  np.testing.assert_allclose(
    pictures, np.tanh(manipulation.picture(manipulation.scalar(np.ones((2, 3)))))
  )


def test_hidden_layers_before_the_scalar():
  assert len(_manipulation(units_before=(7, 5)).scalar.layers) == 3


def test_factors_are_scaled_to_the_same_range():
  found = scaled_factors([[0, 2, 0], [4, 1, 0]], (5, 3, 1)).numpy()
  np.testing.assert_allclose(found, [[-1, 1, 0], [1, 0, 0]])


def test_the_picture_takes_one_number():
  picture = networks.mlp_decoder((4, 4, 1), latents=2, units=(8,))
  with pytest.raises(UserError, match="set its latents to 1"):
    Manipulation(picture, num_factors=3)

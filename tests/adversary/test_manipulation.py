import keras
import numpy as np
import pytest

from disentangle_tf import networks
from disentangle_tf.adversary import (
  HandMadeManipulation,
  Manipulation,
  conv_manipulation,
  mlp_manipulation,
)
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


def test_the_paper_s_decoder_on_one_scalar():
  made = conv_manipulation((64, 64, 3), 6)
  shapes = [tuple(variable.shape) for variable in made.trainable_variables]
  assert shapes[:4] == [(6, 1), (1,), (1, 256), (256,)]
  assert made(np.zeros([2, 6], np.float32)).shape == (2, 64, 64, 3)


def test_the_layers():
  made = mlp_manipulation((4, 5, 2), 3, units=(7, 6), units_before=(9,))
  shapes = [variable.shape for variable in made.trainable_variables]
  assert shapes == [
    (3, 9), (9,), (9, 1), (1,), (1, 7), (7,), (7, 6), (6,), (6, 40), (40,),
  ]  # fmt: skip


def test_two_pictures_of_signs_that_turn_into_each_other():
  made = HandMadeManipulation((3, 4, 1), 2, frequency=2.0)
  first = made.draw(np.float32([[0.0]])).numpy()[0] * np.sqrt(2)
  second = made.draw(np.float32([[np.pi / 4]])).numpy()[0] * np.sqrt(2)
  for picture in (first, second):
    np.testing.assert_allclose(np.abs(picture), 1, atol=1e-6)
  third = made.draw(np.float32([[0.3]])).numpy()[0] * np.sqrt(2)
  expected = first * np.cos(0.6) + second * np.sin(0.6)
  np.testing.assert_allclose(third, expected, atol=1e-6)
  many = made.draw(np.linspace(-1, 1, 50, dtype=np.float32)[:, None]).numpy()
  assert np.abs(many).max() <= 1 + 1e-6


def test_the_scalar_is_the_mean_of_all_factors():
  made = HandMadeManipulation((2, 2, 1), 3)
  scalars = made.scalar(np.float32([[-1, 0, 1], [1, 1, 0.5]])).numpy()
  np.testing.assert_allclose(scalars, [[0], [2.5 / 3]], atol=1e-6)


def test_seeds_and_mistakes():
  at = np.float32([[0.2]])
  first, again, other = (
    HandMadeManipulation((4, 4, 1), 2, seed=seed).draw(at).numpy() for seed in (0, 0, 1)
  )
  assert np.array_equal(first, again) and not np.array_equal(first, other)
  with pytest.raises(UserError, match="frequency"):
    HandMadeManipulation((4, 4, 1), 2, frequency=0)

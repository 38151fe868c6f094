import numpy as np
import pytest

from disentangle_tf.adversary import HandMadeManipulation
from disentangle_tf.errors import UserError


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

import numpy as np
import pytest
import tensorflow as tf
from loss_checks import PARAMETERS, TARGETS, run_loss_test

from disentangle_tf.errors import UserError
from disentangle_tf.losses import Bernoulli
from disentangle_tf.losses.bernoulli import check_epsilon


def test_bernoulli_from_logits():
  probability = 1 / (1 + np.exp(-PARAMETERS.astype(np.float64)))
  expected = -TARGETS * np.log(probability) - (1 - TARGETS) * np.log(1 - probability)
  np.testing.assert_allclose(Bernoulli()(TARGETS, PARAMETERS), expected, rtol=1e-5)
  np.testing.assert_allclose(Bernoulli().images(PARAMETERS), probability, rtol=1e-6)
  np.testing.assert_allclose(
    Bernoulli().distance(TARGETS, probability.astype(np.float32)), expected, rtol=1e-4
  )


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

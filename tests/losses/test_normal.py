import keras
import numpy as np
import pytest
import tensorflow as tf
from loss_checks import PARAMETERS, TARGETS, run_loss_test
from scipy import stats

from disentangle_tf.errors import UserError
from disentangle_tf.losses import MSE, Normal, Overlap, box_kernel


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
def test_what_every_loss_promises(options):
  run_loss_test(Normal(**options), standardised=True, of_difference=True)


def test_defaults():
  assert Normal().scale == 1.0 and Normal().learned

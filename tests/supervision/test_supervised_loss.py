"""What every supervised loss promises; each one's own tests stand beside this file."""

import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from supervision_checks import CODES, LABELS, SIZES, check_mistakes

from disentangle_tf import schedules
from disentangle_tf.supervision import L2, Covariance, CrossEntropy, Embedding

RNG = np.random.default_rng(0)
MAKERS = {
  "l2": L2,
  "l2_without_scale": functools.partial(L2, learn_scale=False),
  "cross_entropy": CrossEntropy,
  "covariance": Covariance,
  "embedding": functools.partial(Embedding, sigma=3.0),
  "embedding_learned_sigma": Embedding,
  "embedding_in_order": functools.partial(Embedding, use_order=True),
}
LEARNING = [name for name, make in MAKERS.items() if make(1.0, SIZES).variables]
each_loss = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def test_the_greatest_label_is_1_and_a_single_value_0():
  loss = CrossEntropy(1.0, SIZES)
  greatest = tf.constant([[2.0, 0.0, 39.0]])
  np.testing.assert_array_equal(loss.normalise(greatest), [[1, 0, 1]])


@each_loss
def test_the_size_of_the_batch_does_not_matter(make):
  loss = make(1.0, SIZES)
  twice = loss(np.tile(CODES, [2, 1]), np.tile(LABELS, [2, 1]))
  np.testing.assert_allclose(loss(CODES, LABELS), twice, rtol=1e-5)


@each_loss
def test_labels_may_be_integers_or_floats_and_xla_changes_nothing(make):
  loss = make(1.0, SIZES)
  expected = loss(CODES, LABELS)
  assert expected.shape == () and expected.dtype == tf.float32
  by_floats = loss(CODES, LABELS.astype(np.float32))
  np.testing.assert_allclose(expected, by_floats, rtol=1e-6)
  compiled = tf.function(loss, jit_compile=True)(tf.constant(CODES), LABELS)
  np.testing.assert_allclose(expected, compiled, rtol=1e-5)


@each_loss
def test_only_the_first_latents_get_a_gradient(make):
  # A single value says nothing to an embedding and varies with nothing: sizes above 1.
  loss, codes = make(1.0, (3, 4, 40)), tf.constant(CODES)
  with tf.GradientTape() as tape:
    tape.watch(codes)
    value = loss(codes, RNG.integers((3, 4, 40), size=(32, 3)))
  gradient = tape.gradient(value, codes).numpy()
  assert (np.abs(gradient[:, :3]).max(axis=0) > 0).all()
  assert (gradient[:, 3:] == 0).all()


@pytest.mark.parametrize("name", LEARNING)
def test_what_is_learned_learns(name):
  loss = MAKERS[name](1.0, SIZES)
  before = [variable.numpy() for variable in loss.variables]
  first = float(loss(CODES, LABELS))
  optimizer = keras.optimizers.Adam(0.05)
  for _ in range(5):
    with tf.GradientTape() as tape:
      value = loss(CODES, LABELS)
    optimizer.apply(tape.gradient(value, loss.variables), loss.variables)
  assert loss(CODES, LABELS) < first
  for variable, value in zip(loss.variables, before, strict=True):
    assert variable.trainable and not np.array_equal(variable, value)


@each_loss
@pytest.mark.parametrize("gamma_sup", [2, schedules.Linear(0.0, 4.0, steps=10)])
def test_round_trip(make, gamma_sup):
  loss = make(gamma_sup, np.array(SIZES))
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert type(again) is type(loss)
  assert again.get_config() == loss.get_config()
  assert again.factor_sizes == SIZES
  np.testing.assert_allclose(again(CODES, LABELS), loss(CODES, LABELS), rtol=1e-6)
  if callable(gamma_sup):
    assert again.gamma_sup(5) == gamma_sup(5) == 2
  else:
    assert again.gamma_sup == 2


def test_mistakes_are_one_line():
  loss = L2(1.0, SIZES)
  loss.check_labels(3, latents=3)
  check_mistakes(
    {
      "3 sizes, the labelled images have 2": lambda: loss.check_labels(2, latents=9),
      "each of the 3 labels, the model has 2": lambda: loss.check_labels(3, latents=2),
      "L2.gamma_sup is -1": lambda: L2(-1, SIZES),
      "CrossEntropy.factor_sizes is 0": lambda: CrossEntropy(1.0, (3, 0)),
      "L2.factor_sizes is 3: it must be a list": lambda: L2(1.0, 3),
    }
  )

import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from scipy import special

from disentangle_tf import schedules
from disentangle_tf.errors import UserError
from disentangle_tf.supervision import L2, Covariance, CrossEntropy, Embedding

RNG = np.random.default_rng(0)
SIZES = (3, 1, 40)
LABELS = RNG.integers(SIZES, size=(32, 3))
CODES = RNG.normal(size=(32, 5)).astype(np.float32)
FIRST = CODES[:, :3].astype(np.float64)
IN_UNIT = LABELS / [2, 1, 39]
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


def sigmoid(values):
  return 1 / (1 + np.exp(-values))


def surprise(places, sigma):
  """By definition, one point and label at a time."""
  total = 0.0
  for code, label in zip(FIRST, LABELS, strict=True):
    for i in range(3):
      logits = -(((code[i] - places[i]) * sigma) ** 2)
      total += special.logsumexp(logits) - logits[label[i]]
  return total / len(FIRST)


def test_l2_is_the_squared_error_to_the_labels():
  loss = L2(1.0, SIZES)
  loss.scale.assign(0.7)
  expected = ((0.7 * FIRST - LABELS) ** 2).sum(axis=1).mean()
  np.testing.assert_allclose(loss(CODES, LABELS), expected, rtol=1e-5)


def test_l2_without_scale_is_between_numbers_from_0_to_1():
  expected = ((sigmoid(FIRST) - IN_UNIT) ** 2).sum(axis=1).mean()
  actual = L2(1.0, SIZES, learn_scale=False)(CODES, LABELS)
  np.testing.assert_allclose(actual, expected, rtol=1e-5)


def test_cross_entropy():
  p = sigmoid(FIRST)
  expected = -(IN_UNIT * np.log(p) + (1 - IN_UNIT) * np.log(1 - p)).sum(axis=1).mean()
  np.testing.assert_allclose(CrossEntropy(1.0, SIZES)(CODES, LABELS), expected, 1e-5)


def test_covariance_with_the_labels_of_others():
  covariance = np.cov(FIRST.T, LABELS.T, ddof=0)[:3, 3:]
  np.fill_diagonal(covariance, 0)
  expected = (covariance**2).sum()
  np.testing.assert_allclose(Covariance(1.0, SIZES)(CODES, LABELS), expected, 1e-5)


@pytest.mark.parametrize("use_order", [True, False])
def test_embedding_is_a_softmax_over_the_values(use_order):
  loss = Embedding(1.0, SIZES, sigma=2.5, use_order=use_order)
  start = [np.linspace(-1, 1, size) for size in SIZES]
  for places, expected in zip(loss.places(), start, strict=True):
    np.testing.assert_allclose(places, expected, atol=1e-6)
  np.testing.assert_allclose(loss(CODES, LABELS), surprise(start, 2.5), rtol=1e-4)
  for variable in loss.variables:
    variable.assign(RNG.normal(size=variable.shape))
  moved = [places.numpy().astype(np.float64) for places in loss.places()]
  assert [len(places) for places in moved] == list(SIZES)
  np.testing.assert_allclose(loss(CODES, LABELS), surprise(moved, 2.5), rtol=1e-4)
  if use_order:
    np.testing.assert_allclose(np.diff(moved[2], n=2), 0, atol=1e-5)


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


def test_perfect_codes_lose_nothing():
  l2 = L2(1.0, SIZES)
  l2.scale.assign(8.0)
  np.testing.assert_allclose(l2((LABELS / 8).astype(np.float32), LABELS), 0, atol=1e-6)
  between = np.clip(IN_UNIT, 1e-6, 1 - 1e-6)
  logits = np.log(between / (1 - between)).astype(np.float32)
  no_scale = L2(1.0, SIZES, learn_scale=False)
  np.testing.assert_allclose(no_scale(logits, LABELS), 0, atol=1e-6)
  places = [np.linspace(-1, 1, size)[LABELS[:, i]] for i, size in enumerate(SIZES)]
  codes = np.stack(places, axis=1).astype(np.float32)
  assert Embedding(1.0, SIZES, sigma=200.0)(codes, LABELS) < 1e-3
  assert Embedding(1.0, SIZES, sigma=200.0)(-codes, LABELS) > 1


def test_cross_entropy_is_least_at_the_label_and_grows_with_the_distance():
  loss = CrossEntropy(1.0, (5,))
  logits = np.linspace(-4, 4, 81)
  values = [float(loss(np.array([[x]], np.float32), [[3]])) for x in logits]
  least = np.argmin(values)
  assert sigmoid(logits[least]) == pytest.approx(3 / 4, abs=0.02)
  assert (np.diff(values[: least + 1]) < 0).all() and (
    np.diff(values[least:]) > 0
  ).all()


def test_codes_that_vary_with_their_own_label_only_have_no_covariance_with_others():
  grid = np.stack(np.meshgrid([0, 1, 2], [0, 1], indexing="ij"), -1).reshape(-1, 2)
  loss = Covariance(1.0, (3, 2))
  np.testing.assert_allclose(loss(grid.astype(np.float32), grid), 0, atol=1e-12)
  assert loss(grid[:, ::-1].astype(np.float32), grid) > 0.1


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
  for message, mistake in {
    "3 sizes, the labelled images have 2": lambda: loss.check_labels(2, latents=9),
    "each of the 3 labels, the model has 2": lambda: loss.check_labels(3, latents=2),
    "L2.gamma_sup is -1": lambda: L2(-1, SIZES),
    "CrossEntropy.factor_sizes is 0": lambda: CrossEntropy(1.0, (3, 0)),
    "Embedding.sigma is 0": lambda: Embedding(1.0, SIZES, sigma=0),
    "Embedding.sigma is 'lern'": lambda: Embedding(1.0, SIZES, sigma="lern"),
    "Embedding.sigma is True": lambda: Embedding(1.0, SIZES, sigma=True),
  }.items():
    with pytest.raises(UserError, match=message) as raised:
      mistake()
    assert "\n" not in str(raised.value)

import numpy as np
import pytest
from scipy import special
from supervision_checks import (
  CODES,
  FIRST,
  IN_UNIT,
  LABELS,
  SIZES,
  check_mistakes,
  sigmoid,
)

from disentangle_tf.supervision import L2, Covariance, CrossEntropy, Embedding


def test_l2_is_the_squared_error_to_the_labels():
  loss = L2(1.0, SIZES)
  loss.scale.assign(0.7)
  expected = ((0.7 * FIRST - LABELS) ** 2).sum(axis=1).mean()
  np.testing.assert_allclose(loss(CODES, LABELS), expected, rtol=1e-5)


def test_l2_without_scale_is_between_numbers_from_0_to_1():
  expected = ((sigmoid(FIRST) - IN_UNIT) ** 2).sum(axis=1).mean()
  actual = L2(1.0, SIZES, learn_scale=False)(CODES, LABELS)
  np.testing.assert_allclose(actual, expected, rtol=1e-5)


def test_perfect_codes_lose_nothing():
  l2 = L2(1.0, SIZES)
  l2.scale.assign(8.0)
  np.testing.assert_allclose(l2((LABELS / 8).astype(np.float32), LABELS), 0, atol=1e-6)
  between = np.clip(IN_UNIT, 1e-6, 1 - 1e-6)
  logits = np.log(between / (1 - between)).astype(np.float32)
  no_scale = L2(1.0, SIZES, learn_scale=False)
  np.testing.assert_allclose(no_scale(logits, LABELS), 0, atol=1e-6)


def test_mistakes_are_one_line():
  check_mistakes({"L2.learn_scale is 'no'": lambda: L2(1.0, (3,), learn_scale="no")})


def test_cross_entropy():
  p = sigmoid(FIRST)
  expected = -(IN_UNIT * np.log(p) + (1 - IN_UNIT) * np.log(1 - p)).sum(axis=1).mean()
  np.testing.assert_allclose(CrossEntropy(1.0, SIZES)(CODES, LABELS), expected, 1e-5)


def test_cross_entropy_is_least_at_the_label_and_grows_with_the_distance():
  loss = CrossEntropy(1.0, (5,))
  logits = np.linspace(-4, 4, 81)
  values = [float(loss(np.array([[x]], np.float32), [[3]])) for x in logits]
  least = np.argmin(values)
  assert sigmoid(logits[least]) == pytest.approx(3 / 4, abs=0.02)
  assert (np.diff(values[: least + 1]) < 0).all() and (
    np.diff(values[least:]) > 0
  ).all()


def test_covariance_with_the_labels_of_others():
  covariance = np.cov(FIRST.T, LABELS.T, ddof=0)[:3, 3:]
  np.fill_diagonal(covariance, 0)
  expected = (covariance**2).sum()
  np.testing.assert_allclose(Covariance(1.0, SIZES)(CODES, LABELS), expected, 1e-5)


def test_codes_that_vary_with_their_own_label_only_have_no_covariance_with_others():
  grid = np.stack(np.meshgrid([0, 1, 2], [0, 1], indexing="ij"), -1).reshape(-1, 2)
  loss = Covariance(1.0, (3, 2))
  np.testing.assert_allclose(loss(grid.astype(np.float32), grid), 0, atol=1e-12)
  assert loss(grid[:, ::-1].astype(np.float32), grid) > 0.1


RNG = np.random.default_rng(0)


def surprise(places, sigma):
  """By definition, one point and label at a time."""
  total = 0.0
  for code, label in zip(FIRST, LABELS, strict=True):
    for i in range(3):
      logits = -(((code[i] - places[i]) * sigma) ** 2)
      total += special.logsumexp(logits) - logits[label[i]]
  return total / len(FIRST)


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


def test_embedding_perfect_codes_lose_nothing():
  places = [np.linspace(-1, 1, size)[LABELS[:, i]] for i, size in enumerate(SIZES)]
  codes = np.stack(places, axis=1).astype(np.float32)
  assert Embedding(1.0, SIZES, sigma=200.0)(codes, LABELS) < 1e-3
  assert Embedding(1.0, SIZES, sigma=200.0)(-codes, LABELS) > 1


def test_embedding_mistakes_are_one_line():
  check_mistakes(
    {
      "Embedding.sigma is 0": lambda: Embedding(1.0, SIZES, sigma=0),
      "Embedding.sigma is 'lern'": lambda: Embedding(1.0, SIZES, sigma="lern"),
      "Embedding.sigma is True": lambda: Embedding(1.0, SIZES, sigma=True),
      "Embedding.use_order": lambda: Embedding(1.0, (3,), use_order="no"),
    }
  )

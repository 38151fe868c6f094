import numpy as np
import pytest
from scipy import special
from supervision_checks import CODES, FIRST, LABELS, SIZES, check_mistakes

from disentangle_tf.supervision import Embedding

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


def test_perfect_codes_lose_nothing():
  places = [np.linspace(-1, 1, size)[LABELS[:, i]] for i, size in enumerate(SIZES)]
  codes = np.stack(places, axis=1).astype(np.float32)
  assert Embedding(1.0, SIZES, sigma=200.0)(codes, LABELS) < 1e-3
  assert Embedding(1.0, SIZES, sigma=200.0)(-codes, LABELS) > 1


def test_mistakes_are_one_line():
  check_mistakes(
    {
      "Embedding.sigma is 0": lambda: Embedding(1.0, SIZES, sigma=0),
      "Embedding.sigma is 'lern'": lambda: Embedding(1.0, SIZES, sigma="lern"),
      "Embedding.sigma is True": lambda: Embedding(1.0, SIZES, sigma=True),
      "Embedding.use_order": lambda: Embedding(1.0, (3,), use_order="no"),
    }
  )

import numpy as np
from supervision_checks import (
  CODES,
  FIRST,
  IN_UNIT,
  LABELS,
  SIZES,
  check_mistakes,
  sigmoid,
)

from disentangle_tf.supervision import L2


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

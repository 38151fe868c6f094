import numpy as np
import pytest
from supervision_checks import CODES, FIRST, IN_UNIT, LABELS, SIZES, sigmoid

from disentangle_tf.supervision import CrossEntropy


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

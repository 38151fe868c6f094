import numpy as np
import pytest
from metric_checks import run_metric_test

from disentangle_tf.metrics import hoyer

RNG = np.random.default_rng(0)
ONE_HOT = np.eye(4)[RNG.integers(4, size=2000)]


def test_promises():
  run_metric_test(
    hoyer,
    needs_factors=False,
    perfect_codes=ONE_HOT,
    perfect={"hoyer": 1.0},
    random={"hoyer": (0.1, 0.3)},
  )


def test_known_sparsity():
  assert hoyer(np.ones((5, 4)), normalise=False) == {"hoyer": 0.0}
  # (sqrt(4) - 7 / 5) / (sqrt(4) - 1) of (3, 4, 0, 0).
  codes = np.array([[3.0, 4.0, 0.0, 0.0]])
  assert hoyer(codes, normalise=False)["hoyer"] == pytest.approx(0.6)
  assert hoyer(1e-300 * codes, normalise=False)["hoyer"] == pytest.approx(0.6)


def test_collapse_is_not_sparsity():
  codes = RNG.normal(size=(2000, 10)) * ([1.0] + [1e-3] * 9)
  assert hoyer(codes, normalise=False)["hoyer"] > 0.95
  assert hoyer(codes)["hoyer"] == pytest.approx(0.26, abs=0.03)
  constant = np.concatenate([codes, np.full((2000, 3), 0.3)], axis=1)
  assert hoyer(constant)["hoyer"] == pytest.approx(hoyer(codes)["hoyer"])


def test_nothing_is_used():
  assert hoyer(np.zeros((3, 4)), normalise=False) == {"hoyer": 1.0}
  assert hoyer(np.zeros((3, 4))) == {"hoyer": 0.0}
  assert hoyer(RNG.normal(size=(9, 1))) == {"hoyer": 0.0}

import numpy as np
import pytest
from metric_checks import draw_factors, run_metric_test

from disentangle_tf.metrics import infomec
from disentangle_tf.metrics._infomec import mean_share

RNG = np.random.default_rng(0)


def test_promises():
  run_metric_test(
    infomec,
    perfect={"infom": 1.0, "infoe": 1.0, "infoc": 1.0},
    random={"infom": (0.0, 1.0), "infoe": 0.0, "infoc": (0.0, 1.0)},
    num_points=400,
    tolerance=0.05,
  )


def test_known_shares():
  assert mean_share(np.eye(3)) == pytest.approx(1)
  assert mean_share(np.ones((2, 3))) == pytest.approx(0)
  # 3 of 4 parts, scaled from [1/2, 1].
  assert mean_share(np.array([[3.0, 1.0]])) == pytest.approx(0.5)
  assert mean_share(np.zeros((2, 3))) == 0
  assert mean_share(np.array([[2.0], [0.0]])) == pytest.approx(0.5)


def test_redundancy_is_not_compact_and_mixing_not_modular():
  factors = draw_factors(1000, sizes=(4, 4))
  codes = factors + 0.05 * RNG.normal(size=factors.shape)
  twice = infomec(np.concatenate([codes, -codes], axis=1), factors)
  assert twice["infom"] > 0.95
  assert twice["infoc"] == pytest.approx(1 / 3, abs=0.05)  # one of two, of four latents
  mixed = infomec(codes @ [[1, 1], [1, -1]], factors)
  assert mixed["infom"] < 0.2
  assert mixed["infoe"] == pytest.approx(infomec(codes, factors)["infoe"], abs=0.02)


def test_inactive_latents_are_pruned():
  factors = draw_factors(600)
  still = 0.01 * RNG.normal(size=(600, 3))
  scores = infomec(np.concatenate([factors, still], axis=1), factors)
  expected = infomec(factors * 1.0, factors)
  for name in ("infom", "infoc"):
    assert scores[name] == pytest.approx(expected[name], abs=1e-6)
  assert infomec(np.zeros((600, 2)), factors) == dict.fromkeys(
    ("infom", "infoe", "infoc"), 0.0
  )


def test_discrete_latents():
  # Parity is not a linear function of the number, but of one-hot values.
  codes = draw_factors(600, sizes=(6, 2))
  factors = np.stack([codes[:, 0] % 2, codes[:, 1]], axis=1)
  scores = infomec(codes, factors, discrete_latents=True)
  assert scores == pytest.approx({"infom": 1, "infoe": 1, "infoc": 1}, abs=0.02)
  assert infomec(codes, factors)["infoe"] == pytest.approx(0.5, abs=0.1)

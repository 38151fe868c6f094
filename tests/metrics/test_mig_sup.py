import numpy as np
import pytest
from metric_checks import draw_factors, golden_case, run_metric_test

from disentangle_tf.metrics import mig_sup

RNG = np.random.default_rng(0)
FACTORS = draw_factors(4000, sizes=(4, 4))
# One latent encodes the first factor; another both, but only half of the second.
MIXED = np.stack([FACTORS[:, 0], 4 * FACTORS[:, 0] + FACTORS[:, 1] // 2], axis=1)


def test_promises():
  run_metric_test(mig_sup, perfect={"mig_sup": 1.0}, random={"mig_sup": 0.0})


def test_redundant_latents_do_not_matter():
  score = mig_sup(np.tile(FACTORS, 2), FACTORS)["mig_sup"]
  assert score == pytest.approx(1, abs=0.01)


def test_known_gap():
  # Latent 0 encodes one factor; latent 1 encodes one and half of another.
  assert mig_sup(MIXED, FACTORS)["mig_sup"] == pytest.approx((1 + 0.5) / 2, abs=0.01)


def test_inactive_latents_have_no_gap():
  still = 0.05 * RNG.normal(size=(4000, 2))
  codes = np.concatenate([FACTORS, still], axis=1)
  assert mig_sup(codes, FACTORS) == pytest.approx(mig_sup(FACTORS, FACTORS))
  assert mig_sup(codes, FACTORS, threshold=1e-4)["mig_sup"] == pytest.approx(
    0.5, abs=0.01
  )
  assert mig_sup(still, FACTORS) == {"mig_sup": 0.0}


def test_falls_from_an_aligned_to_a_turned_and_an_independent_code():
  scores = []
  for case in (1, 2, 3):
    _, arrays = golden_case(case)
    codes, factors = arrays["codes_train"][:3000], arrays["factors_train"][:3000]
    scores.append(mig_sup(codes, factors)["mig_sup"])
  assert scores == sorted(scores, reverse=True)
  assert scores[0] > 0.6

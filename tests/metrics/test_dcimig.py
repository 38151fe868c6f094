import numpy as np
import pytest
from metric_checks import draw_factors, golden_case, run_metric_test

from disentangle_tf.metrics import dcimig

FACTORS = draw_factors(4000, sizes=(4, 4))
# One latent encodes the first factor; another both, but only half of the second.
MIXED = np.stack([FACTORS[:, 0], 4 * FACTORS[:, 0] + FACTORS[:, 1] // 2], axis=1)


def test_promises():
  run_metric_test(dcimig, perfect={"dcimig": 1.0}, random={"dcimig": 0.0})


def test_redundant_latents_do_not_matter():
  score = dcimig(np.tile(FACTORS, 2), FACTORS)["dcimig"]
  assert score == pytest.approx(1, abs=0.01)


def test_known_gap():
  # Both latents are assigned to factor 0; only the better one counts.
  assert dcimig(MIXED, FACTORS)["dcimig"] == pytest.approx(1 / 2, abs=0.01)


def test_falls_from_an_aligned_to_a_turned_and_an_independent_code():
  scores = []
  for case in (1, 2, 3):
    _, arrays = golden_case(case)
    codes, factors = arrays["codes_train"][:3000], arrays["factors_train"][:3000]
    scores.append(dcimig(codes, factors)["dcimig"])
  assert scores == sorted(scores, reverse=True)
  assert scores[0] > 0.6

import numpy as np
import pytest
from metric_checks import golden_case, run_metric_test

from disentangle_tf.metrics import jemmig


def test_promises():
  run_metric_test(jemmig, perfect={"jemmig": 1.0}, random={"jemmig": 0.0})


def test_known_joint_entropy():
  # One latent with 8 even values, of which the factor is every second step: H(z) is
  # log 8, H(y) and I(z, y) are log 4, so that (log 8 + log 4 - 2 log 4) is unexplained.
  codes = np.arange(800)[:, None] % 8
  score = jemmig(codes, codes // 2, num_bins=8)["jemmig"]
  assert score == pytest.approx(1 - np.log(2) / (np.log(4) + np.log(8)))


def test_second_best_counts_against():
  codes = np.arange(800)[:, None] % 8
  twice = jemmig(np.tile(codes, 2), codes, num_bins=8)["jemmig"]
  assert jemmig(codes, codes, num_bins=8)["jemmig"] == pytest.approx(1)
  # log 8 of log 8 + log 8.
  assert twice == pytest.approx(0.5)


def test_falls_from_an_aligned_to_a_turned_and_an_independent_code():
  scores = []
  for case in (1, 2, 3):
    _, arrays = golden_case(case)
    codes, factors = arrays["codes_train"][:3000], arrays["factors_train"][:3000]
    scores.append(jemmig(codes, factors)["jemmig"])
  assert scores == sorted(scores, reverse=True)
  assert scores[0] > 0.6

import numpy as np
import pytest
from metric_checks import golden_case, run_metric_test
from scipy import linalg

from disentangle_tf.metrics import total_correlation
from disentangle_tf.metrics._total_correlation import (
  gaussian_total_correlation,
  gaussian_wasserstein_correlation,
)

RNG = np.random.default_rng(0)
NAMES = (
  "gaussian_total_correlation",
  "gaussian_wasserstein_correlation",
  "gaussian_wasserstein_correlation_norm",
  "mutual_information",
)


def test_promises():
  floor = dict.fromkeys(NAMES, 0.0) | {"mutual_information": (0.0, 0.1)}
  run_metric_test(
    total_correlation, needs_factors=False, perfect=floor, random=floor, tolerance=0.02
  )


def test_closed_forms():
  # Of two latents with correlation 0.6: -log(1 - 0.36) / 2.
  covariance = np.array([[4.0, 1.2], [1.2, 1.0]])
  expected = -np.log(1 - 0.36) / 2
  assert gaussian_total_correlation(covariance) == pytest.approx(expected)
  half = linalg.sqrtm(covariance)
  marginals = np.diag(np.diag(covariance))
  cross = linalg.sqrtm(half @ marginals @ half)
  expected = np.trace(covariance + marginals - 2 * cross)
  assert gaussian_wasserstein_correlation(covariance) == pytest.approx(expected)
  assert gaussian_total_correlation(np.eye(3)) == pytest.approx(0)
  assert gaussian_wasserstein_correlation(np.eye(3)) == pytest.approx(0)


def test_constant_latents_are_independent():
  codes = RNG.normal(size=(500, 2)) @ [[1.0, 0.5], [0.0, 1.0]]
  with_constant = np.concatenate([codes, np.full((500, 1), 0.3)], axis=1)
  scores, expected = total_correlation(with_constant), total_correlation(codes)
  for name in NAMES[:3]:
    assert scores[name] == pytest.approx(expected[name])
  # There are three pairs instead of one.
  name = "mutual_information"
  assert scores[name] == pytest.approx(expected[name] / 3)


def test_redundant_latents_are_bounded():
  codes = np.tile(RNG.normal(size=(500, 1)), 2)
  scores = total_correlation(codes)
  assert 15 < scores["gaussian_total_correlation"] < 19
  # The paper's 1e-5: correlation 1 / (1 + 1e-5).
  scores = total_correlation(codes / codes.std(ddof=1), diagonal=1e-5)
  assert scores["gaussian_total_correlation"] == pytest.approx(5.4, abs=0.1)


@pytest.mark.parametrize("codes", [np.zeros((1, 3)), np.zeros((9, 2)), np.ones((9, 1))])
def test_nothing_to_compare(codes):
  assert total_correlation(codes) == pytest.approx(dict.fromkeys(NAMES, 0.0))


@pytest.mark.parametrize("case", "12345")
def test_golden(case):
  metrics, arrays = golden_case(case)
  scores = total_correlation(arrays["codes_train"])
  expected = dict(metrics["unsupervised_metrics"]["scores"])
  expected["mutual_information"] = expected.pop("mutual_info_score")
  if case == "5":  # the reference gives NaN where latents are constant
    safe = metrics["constant_safe_extension"]["scores"]
    expected[NAMES[0]] = safe["gaussian_total_correlation_active_dims"]
  assert scores == pytest.approx(expected, abs=1e-6)

import numpy as np
import pytest
from metric_checks import draw_factors, golden_case, run_metric_test

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import sap, sap_matrix

RNG = np.random.default_rng(0)


def _sap(codes, factors, **options):
  return sap(codes, factors, codes, factors, **options)


def test_promises():
  factors = draw_factors(300, sizes=(2, 2, 2))
  scores = sap(factors, factors, factors, factors)
  assert scores == {
    "sap": pytest.approx(0.5, abs=0.1)
  }  # accuracy 1 less that of chance
  run_metric_test(
    lambda codes, factors: _sap(codes, factors, continuous_factors=True),
    perfect={"sap": 1.0},
    random={"sap": 0.0},
  )


def test_known_gaps():
  factor = np.arange(400)[:, None] % 4
  # Latent 0 explains the factor, latent 1 only whether it is above 1.
  codes = np.concatenate([factor, factor > 1], axis=1)
  explained = np.corrcoef(factor[:, 0], factor[:, 0] > 1)[0, 1] ** 2
  assert _sap(codes, factor, continuous_factors=True)["sap"] == pytest.approx(
    1 - explained
  )
  binary = factor > 1
  assert _sap(np.concatenate([binary, factor % 2], axis=1), binary)["sap"] == 0.5
  assert _sap(np.tile(binary, 2), binary)["sap"] == 0.0


def test_standardised_codes_have_no_scale():
  factors = draw_factors(400, sizes=(3, 3))
  codes = factors + 0.3 * RNG.normal(size=factors.shape)
  scaled = (codes - codes.mean(axis=0)) / codes.std(axis=0)
  expected = pytest.approx(sap_matrix(scaled, factors, scaled, factors), abs=0.005)
  moved = codes * [1e-3, 30.0] + [5.0, -2.0]
  matrix = sap_matrix(moved, factors, moved, factors, standardised=True)
  assert matrix == expected
  # At a thousandth of its scale the penalty hides a latent that predicts well.
  assert sap_matrix(moved, factors, moved, factors)[0, 0] < matrix[0, 0] - 0.1


def test_without_balance_a_blind_latent_predicts_the_most_frequent_value():
  factor = (np.arange(400)[:, None] % 10 == 0) * 1
  codes = np.concatenate([factor, np.zeros_like(factor)], axis=1)
  scores = _sap(codes, factor, standardised=True, balanced=False)
  assert scores == {"sap": pytest.approx(0.1)}


def test_matrix():
  factors = np.insert(draw_factors(200, sizes=(2, 2)), 1, 7, axis=1)
  codes = np.concatenate([factors[:, 2:], np.full((200, 1), 0.3)], axis=1)
  accuracies = sap_matrix(codes, factors, codes, factors)
  assert accuracies.shape == (2, 3)
  assert accuracies[0, 2] == 1.0
  assert (accuracies[:, 1] == 1.0).all()
  assert accuracies[1, [0, 2]] == pytest.approx([0.5, 0.5], abs=0.1)
  explained = sap_matrix(codes, factors, codes, factors, continuous_factors=True)
  assert explained[0, 2] == pytest.approx(1.0)
  assert not explained[1].any()
  assert not explained[:, 1].any()


def test_one_latent_is_compared_with_one_that_never_changes():
  factor = np.arange(100)[:, None] % 2
  assert _sap(factor, factor)["sap"] == 0.5
  assert _sap(factor, factor, continuous_factors=True)["sap"] == pytest.approx(1.0)


def test_values_that_are_rare_or_missing():
  factor = np.arange(60)[:, None] % 3
  factor[7] = 9  # once in training, never in testing
  test_factor = np.array([[0], [2], [17]])  # and a value absent from training
  codes, test_codes = np.tile(factor, 2), np.tile(test_factor, 2)
  assert sap(codes, factor, test_codes, test_factor)["sap"] == 0.0


def test_the_same_in_parallel():
  factors = draw_factors(100)
  codes = factors + RNG.normal(size=factors.shape)
  alone = _sap(codes, factors, num_jobs=1)
  assert _sap(codes, factors, num_jobs=3) == pytest.approx(alone, abs=1e-9)


def test_factors_of_one_value():
  factors = draw_factors(100)
  expected = pytest.approx(_sap(factors, factors), abs=1e-9)
  assert _sap(factors, np.insert(factors, 1, 7, axis=1)) == expected
  with pytest.raises(UserError, match="more than one value"):
    _sap(factors, np.zeros((100, 2)))


def _golden(case):
  metrics, arrays = golden_case(case)
  names = ("codes_train", "factors_train", "codes_test", "factors_test")
  return metrics, [arrays[name] for name in names]


@pytest.mark.parametrize("case", "12345")
def test_golden_of_continuous_factors(case):
  metrics, points = _golden(case)
  expected = metrics["sap_score_continuous"]["scores"]["SAP_score"]
  score = sap(*points, continuous_factors=True)["sap"]
  assert score == pytest.approx(expected, abs=1e-6)


def test_golden_of_two_factors():
  metrics, (codes, factors, test_codes, test_factors) = _golden(5)
  expected = np.array(metrics["sap_score"]["scores"]["score_matrix"])[:, :2]
  matrix = sap_matrix(codes, factors[:, :2], test_codes, test_factors[:, :2])
  np.testing.assert_allclose(matrix, expected, atol=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("case", "12345")
def test_golden(case):
  metrics, points = _golden(case)
  expected = metrics["sap_score"]["scores"]
  assert sap(*points)["sap"] == pytest.approx(expected["SAP_score"], abs=0.002)
  np.testing.assert_allclose(
    sap_matrix(*points), np.array(expected["score_matrix"]), atol=2e-3
  )

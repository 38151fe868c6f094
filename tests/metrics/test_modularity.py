import numpy as np
import pytest
from metric_checks import (
  draw_factors,
  golden_case,
  golden_pure_functions,
  run_metric_test,
)

from disentangle_tf.metrics import modularity
from disentangle_tf.metrics._modularity import latent_modularity


def test_promises():
  run_metric_test(
    modularity, perfect={"modularity": 1.0}, random={"modularity": (0.2, 0.9)}
  )


def test_known_matrices():
  assert latent_modularity(np.eye(3)).tolist() == [1, 1, 1]
  assert latent_modularity(np.ones((2, 3))).tolist() == [0, 0]
  # Half as much information about one factor as about the other: 1 - 1/4.
  np.testing.assert_allclose(latent_modularity(np.array([[1.0, 2.0]])), [0.75])
  assert latent_modularity(np.zeros((2, 3))).tolist() == [0, 0]
  assert latent_modularity(np.array([[2.0], [0.0]])).tolist() == [1, 0]


def test_latents_that_know_nothing_count_as_zero():
  factors = draw_factors(2000)
  codes = np.concatenate([factors, np.full((2000, 3), 0.3)], axis=1)
  assert modularity(codes, factors)["modularity"] == pytest.approx(0.5, abs=0.01)


def test_one_latent_for_two_factors():
  factors = draw_factors(4000, sizes=(4, 4))
  codes = factors @ [[4], [1]]
  assert modularity(codes, factors)["modularity"] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("case", "12345")
def test_golden(case):
  metrics, arrays = golden_case(case)
  score = modularity(arrays["codes_train"], arrays["factors_train"])["modularity"]
  expected = metrics["intermediate"]["scores"]["modularity_score"]
  assert score == pytest.approx(expected, abs=1e-6)
  matrix = np.array(metrics["intermediate"]["scores"]["mutual_information_matrix"])
  unified = metrics["unified_scores"]["scores"]
  for number, latent in enumerate(latent_modularity(matrix)):
    name = f"mutual_information_matrix.modularity.code_{number}"
    assert latent == pytest.approx(unified[name], abs=1e-9)


def test_golden_matrices():
  for case in golden_pure_functions()["matrix_aggregations"]["scores"]:
    score = latent_modularity(np.array(case["matrix"])).mean()
    assert score == pytest.approx(case["modularity"], abs=1e-9)

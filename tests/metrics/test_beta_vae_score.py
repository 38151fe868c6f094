import pytest
from shared_factor_checks import FEW, SPACE, check_golden, run_shared_factor_test

from disentangle_tf.metrics import beta_vae_score


def test_promises():
  run_shared_factor_test(beta_vae_score)


def test_a_code_without_one_factor_is_perfect_all_the_same():
  scores = beta_vae_score(SPACE, lambda factors: factors[:, :2] * 1.0, **FEW)
  assert scores == {"train_accuracy": 1.0, "eval_accuracy": 1.0}


@pytest.mark.parametrize(
  ("case", "num_train"),
  [
    ("2", 2000),
    *(pytest.param(case, 2000, marks=pytest.mark.slow) for case in "1345"),
    *(pytest.param(case, 10_000, marks=pytest.mark.slow) for case in "25"),
  ],
)
def test_golden(case, num_train):
  check_golden(beta_vae_score, "beta_vae_sklearn", case, num_train)

import numpy as np
import pytest
from shared_factor_checks import (
  FEW,
  SPACE,
  check_golden,
  identity,
  run_shared_factor_test,
)

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import factor_vae_score


def test_promises():
  run_shared_factor_test(factor_vae_score)


def test_mixed_code_is_not_perfect():
  mixture = np.array([[1.0, 1, 1], [1, -1, 0], [1, 1, -2]])
  scores = factor_vae_score(SPACE, lambda factors: factors @ mixture, **FEW)
  assert scores["active_latents"] == 3
  assert 0.4 < scores["eval_accuracy"] < 0.95


def test_active_latents_are_counted():
  def codes_of(factors):
    return factors * [1.0, 1e-3, 1.0]

  assert factor_vae_score(SPACE, codes_of, **FEW)["active_latents"] == 2
  everything = factor_vae_score(SPACE, codes_of, **FEW, threshold=0)
  assert everything == {
    "train_accuracy": 1.0,
    "eval_accuracy": 1.0,
    "active_latents": 3.0,
  }
  nothing = factor_vae_score(SPACE, lambda f: 0.3 + 0.0 * f, **FEW, threshold=0)
  assert set(nothing.values()) == {0.0}


def test_the_appendix_bounds_the_variance():
  # Variances 0.04 and 0.06, both of deviations above 0.05; of n uniform values from 0
  # up it is (n^2 - 1) / 12.
  sizes = np.array(SPACE.sizes[:2])
  scale = np.sqrt([0.04, 0.06] / ((sizes**2 - 1) / 12))

  def codes_of(factors):
    return scale * factors[:, :2]

  assert factor_vae_score(SPACE, codes_of, **FEW)["active_latents"] == 2
  printed = factor_vae_score(SPACE, codes_of, **FEW, threshold=0.05**0.5)
  assert printed["active_latents"] == 1


def test_one_point_has_no_variance():
  with pytest.raises(UserError, match="single point"):
    factor_vae_score(SPACE, identity, batch_size=1)


@pytest.mark.parametrize(
  ("case", "num_train"),
  [
    ("2", 2000),
    *(pytest.param(case, 2000, marks=pytest.mark.slow) for case in "1345"),
    *(pytest.param(case, 10_000, marks=pytest.mark.slow) for case in "25"),
  ],
)
def test_golden(case, num_train):
  check_golden(factor_vae_score, "factor_vae_score", case, num_train)

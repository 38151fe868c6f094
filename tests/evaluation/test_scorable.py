import numpy as np
import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.evaluation.scorable import check_scorable


@pytest.mark.parametrize(
  ("name", "most"), [("codes", [-1e14, 1e14]), ("log_variances", [-1e14, 80.0])]
)
def test_what_metrics_can_compute_with_comes_back(name, most):
  values = np.array([[0.0, 1.0], most], np.float32)
  assert check_scorable(name, values) is values


@pytest.mark.parametrize(
  ("name", "bad", "words"),
  [
    ("codes", np.nan, "beyond -1e\\+15 to 1e\\+15"),
    ("codes", np.inf, "NaN, infinite or beyond"),
    ("codes", -2e15, "NaN, infinite or beyond"),
    ("log_variances", 81.0, "beyond -1e\\+15 to 80"),
    ("log_variances", -np.inf, "NaN, infinite or beyond"),
  ],
)
def test_the_first_latent_that_cannot_be_scored_is_named(name, bad, words):
  values = np.zeros((4, 3), np.float32)
  values[2, 1:] = bad
  with pytest.raises(ModelError, match=f"^{name} of latent 1 are .*{words}"):
    check_scorable(name, values)

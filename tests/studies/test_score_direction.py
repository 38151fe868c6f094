import pytest

from disentangle_tf.studies.score_direction import lower_is_better, merit


@pytest.mark.parametrize(
  ("score", "lower"),
  [
    ("mig", False),
    ("beta_vae_eval_accuracy", False),
    ("informativeness_train", False),
    ("kl", True),
    ("elbo", False),
    ("reconstruction_error", True),
    ("gaussian_total_correlation", True),
    ("sampled_gaussian_total_correlation", True),
    ("somebodys_own", False),
    ("kl (num_points=5)", True),
    ("mig (num_points=5)", False),
  ],
)
def test_as_the_metrics_state_it(score, lower):
  assert lower_is_better(score) is lower
  assert merit(score, 3.0) == (-3.0 if lower else 3.0)

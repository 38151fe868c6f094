import pytest

from disentangle_tf.studies.titles import (
  METHODS,
  METRICS,
  in_paper_order,
  lower_is_better,
  merit,
  title,
)


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


def test_papers_order_then_the_alphabet():
  names = ["zeta-VAE", "AnnealedVAE", "Ada-GVAE", "beta-VAE", "FactorVAE"]
  assert in_paper_order(names) == [
    "beta-VAE", "FactorVAE", "AnnealedVAE", "Ada-GVAE", "zeta-VAE",
  ]  # fmt: skip
  assert in_paper_order(sorted(METHODS)) == list(METHODS)
  assert in_paper_order(sorted(METRICS)) == list(METRICS)
  zietlow = ["AE", "beta-VAE", "FactorVAE", "beta-TCVAE", "SlowVAE", "PCL"]
  assert in_paper_order(sorted(zietlow)) == zietlow
  versions = ["original", "modified", "noise"]
  assert in_paper_order(sorted(versions)) == versions
  assert in_paper_order(["shapes3d", "dsprites", "cars3d"])[0] == "dsprites"


def test_titles():
  assert title("beta_vae_eval_accuracy") == "BetaVAE score"
  assert title("dsprites") == "dSprites"
  assert title("accuracy_10000_gradient_boosting") == "GBT10000"
  assert title("beta-TCVAE") == "β-TCVAE"
  assert title("my_score") == "my_score"

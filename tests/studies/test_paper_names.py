from disentangle_tf.studies.paper_names import METHODS, METRICS, in_paper_order, title


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

from disentangle_tf import metrics
from disentangle_tf.errors import UserError
from disentangle_tf.scoring import Measurement, protocols, score_names


def test_of_a_protocol():
  assert score_names(protocols.MICHLO_FINAL) == [
    "mig",
    "disentanglement",
    "completeness",
    "informativeness_train",
    "informativeness_test",
  ]


def test_of_prefixes_and_of_what_needs_all_of_a_model():
  measurements = [
    Measurement(metrics.mig, num_points="all", prefix="whole_set_"),
    Measurement(metrics.total_correlation, sampled=True, prefix="sampled_"),
    Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
    Measurement(metrics.evidence),
    Measurement(metrics.prior_mmd, sampled=True),
  ]
  names = score_names(measurements)
  assert names[:2] == ["whole_set_mig", "sampled_gaussian_total_correlation"]
  assert {"factor_vae_eval_accuracy", "kl", "elbo", "prior_mmd"} < set(names)


def test_of_what_asks_the_decoder():
  names = score_names(protocols.THEORY)
  wanted = {"sampled_error", "polarised_kl_error", "implied_beta", "misalignment"}
  assert wanted | {"distance_to_orthogonality"} < set(names)


def demanding(codes, factors):
  if len(codes) < 1000:
    raise UserError("demanding: 1,000 points or more")
  return {"demanded": 1.0}


def impossible(codes, factors):
  raise UserError("impossible: no codes will do")


def test_of_a_metric_that_needs_many_points():
  assert score_names([Measurement(demanding)]) == ["demanded"]
  assert score_names([Measurement(demanding), Measurement(impossible)]) is None


def test_every_repeat_has_a_name():
  names = score_names([Measurement(metrics.mig)], repeats=3)
  assert names == ["mig", "repeat_0_mig", "repeat_1_mig", "repeat_2_mig"]

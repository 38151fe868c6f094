import numpy as np
import pytest

from disentangle_tf.data import FactorSpace
from disentangle_tf.scoring import CodesTable, protocols, score_names
from disentangle_tf.studies.titles import (
  BOOSTING,
  EFFICIENCY,
  LOGISTIC,
  METRICS,
  UNSUPERVISED,
)

NAMES = [name for name in vars(protocols) if name.isupper() and name[0] != "_"]


@pytest.mark.parametrize("name", NAMES)
def test_no_two_measurements_share_a_name(name):
  names = [measurement.name for measurement in getattr(protocols, name)]
  assert len(set(names)) == len(names)


def test_the_papers_settings():
  by_name = {m.name: m.settings() for m in protocols.LOCATELLO}
  assert by_name["factor_vae_score"]["batch_size"] == 64
  assert by_name["dci"]["num_points"] == 10_000
  assert by_name["dci"]["num_test_points"] == 5_000
  assert by_name["sampled_total_correlation"]["codes"] == "sampled"
  sizes = (10, 100, 1_000, 10_000)
  for name in ("downstream_task", "downstream_task_gradient_boosting"):
    assert by_name[name]["sizes"] == sizes
    assert by_name[name]["num_test_points"] == 5_000
  (mig, dci) = protocols.MICHLO_DURING_TRAINING
  assert (mig.num_points, dci.num_points, dci.num_test_points) == (2_000, 1_000, 500)


@pytest.mark.slow
def test_the_small_protocol_has_the_scores_of_the_papers_analyses():
  names = score_names(protocols.LOCATELLO_SMALL)
  wanted = {*METRICS, *UNSUPERVISED, *LOGISTIC, *BOOSTING, *EFFICIENCY}
  wanted |= {"gaussian_total_correlation", "reconstruction_error"}
  assert wanted - set(names) == {"accuracy_10000", "accuracy_10000_gradient_boosting"}
  assert len(set(names)) == len(names)


def test_the_protocol_of_both_versions_has_each_under_its_name():
  both = {m.name: m.settings() for m in protocols.LOCATELLO_BOTH_SMALL}
  small = {m.name: m.settings() for m in protocols.LOCATELLO_SMALL}
  for name in ("mig", "dci", "sap", "factor_vae_score"):
    assert both[name] == small[name]
  assert both["total_correlation"]["diagonal"] == 1e-5
  assert both["downstream_task"]["sizes"] == (100, 1_000, 10_000)
  assert both["appendix_sap"]["standardised"] and not both["sap"]["standardised"]
  assert both["appendix_dci_svm"]["predictor"] == "svm"


def test_where_the_appendix_differs_from_the_code():
  changed = {
    printed.name: {
      name: value
      for name, value in printed.settings().items()
      if value != code.settings()[name]
    }
    for printed, code in zip(
      protocols.LOCATELLO_APPENDIX, protocols.LOCATELLO, strict=True
    )
  }
  assert {name: found for name, found in changed.items() if found} == {
    "factor_vae_score": {"threshold": pytest.approx(0.2236, abs=1e-4)},
    "explicitness": {"one_versus_rest": True},
    "dci_svm": {"predictor": "svm", "weighted_completeness": False},
    "sap": {"standardised": True, "balanced": False},
    "total_correlation": {"diagonal": 1e-5},
    "sampled_total_correlation": {"diagonal": 1e-5},
  }


@pytest.mark.parametrize("name", ["LOCATELLO", "ZIETLOW"])
def test_small_and_large_take_the_same_measurements(name):
  small, large = getattr(protocols, f"{name}_SMALL"), getattr(protocols, name)
  assert [m.name for m in small] == [m.name for m in large]


def test_zietlow_et_al_take_the_points_of_locatello_et_al():
  locatello = {m.name: m.settings() for m in protocols.LOCATELLO}
  zietlow = {m.name: m.settings() for m in protocols.ZIETLOW}
  assert zietlow.pop("active_latents") == {"num_points": 10_000, "threshold": 0.8}
  assert zietlow == {name: locatello[name] for name in zietlow}
  assert zietlow["mig"]["num_bins"] == 20


def test_the_small_protocol_of_zietlow_et_al_on_a_perfect_code():
  space = FactorSpace(("x", "y"), (13, 13))
  codes = space.to_factors(np.arange(169)).astype(np.float32)
  table = CodesTable(codes, space, log_variances=np.full_like(codes, -3.0))
  scores = {}
  for measurement in protocols.ZIETLOW_SMALL:
    scores |= measurement.scores(table, seed=0)
  for name in ("mig", "disentanglement", "factor_vae_eval_accuracy"):
    assert scores[name] == pytest.approx(1.0, abs=0.02), name
  assert scores["active_latents_by_variance"] == 2
  assert set(scores) > {"sap", "kl"}


def test_a_perfect_code_passes_the_fast_protocol():
  space = FactorSpace(("a", "b", "c"), (3, 4, 5))
  codes = space.to_factors(np.arange(60)).astype(np.float32)
  table = CodesTable(codes, space)
  scores = {}
  for measurement in protocols.FAST:
    found = measurement.scores(table, seed=0)
    assert not set(found) & set(scores)
    scores |= found
  for name in ("mig", "disentanglement", "completeness", "modularity", "mcc"):
    assert scores[name] == pytest.approx(1.0, abs=0.02), name
  assert scores["active_units"] == 3

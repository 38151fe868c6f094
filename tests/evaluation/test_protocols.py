import numpy as np
import pytest

from disentangle_tf.data import FactorSpace
from disentangle_tf.evaluation import CodesTable, protocols

NAMES = [name for name in vars(protocols) if name.isupper()]


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
  (mig, dci) = protocols.MICHLO_DURING_TRAINING
  assert (mig.num_points, dci.num_points, dci.num_test_points) == (2_000, 1_000, 500)


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

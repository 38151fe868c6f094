import functools

import numpy as np
from study_tables import only, run_analysis_test, table_of

from disentangle_tf.studies.analyses import metric_sample_efficiency
from disentangle_tf.studies.model_scores import pivot

_NAMES = {10_000: "mig", 100: "points_100_mig", 1_000: "points_1000_mig"}
_SIZES = {"mig": _NAMES}


def _table():
  rng = np.random.default_rng(0)
  exact = rng.random((1, 2, 3, 4, 10))
  coarse = exact + rng.normal(size=exact.shape) + 0.5
  fine = exact**3 + 0.1  # another scale, the same order
  values = np.concatenate([exact, coarse, fine])
  return table_of(values, scores=tuple(_NAMES.values()))


def test_promises():
  analysis = functools.partial(metric_sample_efficiency, sizes=_SIZES, resamples=20)
  run_analysis_test(analysis, _table())


def test_rankings_and_biases_against_the_most_points():
  table = _table()
  rankings, biases = metric_sample_efficiency(table, _SIZES, resamples=100)
  curve = rankings["set 0"]["mig"]
  assert curve.x.tolist() == [100, 1_000] and curve.counts.tolist() == [120, 120]
  assert curve.y[0] < 0.7 and np.isclose(curve.y[1], 1)
  assert (curve.low <= curve.y).all() and (curve.y <= curve.high + 1e-12).all()
  wide = pivot(table, ["mig", "points_100_mig"])
  wide = wide[wide["data"] == "set 0"]
  expected = (wide["points_100_mig"] - wide["mig"]).mean()
  assert np.isclose(biases["set 0"]["mig"].y[0], expected)


def test_models_and_data_sets_that_lack_a_size():
  table = only(_table(), score="points_100_mig", data="set 1")
  rankings, biases = metric_sample_efficiency(table, _SIZES, resamples=5)
  assert len(rankings["set 1"]["mig"].x) == len(biases["set 1"]["mig"].x) == 0
  assert len(rankings["set 0"]["mig"].x) == 2


def test_a_constant_has_no_ranking():
  values = np.random.default_rng(0).random((3, 1, 1, 2, 5))
  values[1] = 0.5
  table = table_of(values, scores=tuple(_NAMES.values()))
  rankings, biases = metric_sample_efficiency(table, _SIZES, resamples=5)
  assert rankings["set 0"]["mig"].x.tolist() == [1_000]
  assert biases["set 0"]["mig"].x.tolist() == [100, 1_000]

import functools

import numpy as np
from study_tables import made_up_study, run_analysis_test, table_of

from disentangle_tf.studies.analyses import score_against_weight


def test_promises():
  analysis = functools.partial(score_against_weight, scores=("mig", "sap"))
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_means_and_deviations_at_scaled_weights():
  values = np.random.default_rng(0).random((1, 2, 2, 3, 5))
  table = table_of(values)  # BETA is 1, 2, 4
  found = score_against_weight(
    table, scores=("mig",), weights={"method 1": ("BETA", 4.0), "other": ("GAMMA", 1.0)}
  )
  assert list(found) == [("method 1", "mig")]
  curve = found["method 1", "mig"]["set 1"]
  np.testing.assert_array_equal(curve.x, [0.25, 0.5, 1.0])
  np.testing.assert_allclose(curve.y, values[0, 1, 1].mean(axis=-1))
  deviations = values[0, 1, 1].std(axis=-1, ddof=1)
  np.testing.assert_allclose(curve.high - curve.y, deviations)
  np.testing.assert_allclose(curve.y - curve.low, deviations)
  assert curve.counts.tolist() == [5, 5, 5]


def test_by_strength():
  values = np.arange(4.0).reshape(1, 1, 2, 2, 1)
  found = score_against_weight(table_of(values), scores=("mig",))
  curve = found["method 1", "mig"]["set 0"]
  assert curve.x.tolist() == [0, 1] and curve.y.tolist() == [2, 3]
  assert curve.low.tolist() == curve.high.tolist() == [2, 3]  # one model each

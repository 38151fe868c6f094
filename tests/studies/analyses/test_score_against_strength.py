import functools

import numpy as np
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.studies.analyses import score_against_strength


def test_promises():
  analysis = functools.partial(score_against_strength, scores=("mig", "sap"))
  run_analysis_test(analysis, made_up_study(num_strengths=3, num_seeds=3))


def test_medians_over_seeds():
  values = np.tile(np.arange(50.0), (1, 1, 2, 3, 1)) + np.arange(3)[:, None]
  curves = score_against_strength(table_of(values), scores=("mig",))["set 0", "mig"]
  for curve in curves.values():
    assert curve.y.tolist() == [24.5, 25.5, 26.5]
    assert curve.counts.tolist() == [50, 50, 50] and curve.n == 150


def test_strengths_without_a_model_are_left_out():
  table = only(table_of(np.ones((1, 2, 2, 3, 4))), method="method 0", strength=1)
  curves = score_against_strength(table, scores=("mig",))["set 1", "mig"]
  assert curves["method 0"].x.tolist() == [0, 2]
  assert curves["method 1"].x.tolist() == [0, 1, 2]


def test_a_method_that_lacks_a_data_set_has_no_points_there():
  table = only(table_of(np.ones((1, 2, 2, 3, 4))), method="method 0", data="set 0")
  curves = score_against_strength(table, scores=("mig",))["set 0", "mig"]
  assert len(curves["method 0"].x) == 0 and curves["method 1"].n == 12

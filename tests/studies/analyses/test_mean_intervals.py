import functools

import numpy as np
import pytest
from study_tables import made_up_study, row_of, run_analysis_test, table_of

from disentangle_tf.studies.analyses import mean_intervals, t_interval
from disentangle_tf.studies.results_table import results_table


def test_promises():
  analysis = functools.partial(mean_intervals, scores=("mig", "kl"))
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_means_and_bands_at_each_value():
  values = np.random.default_rng(0).random((1, 1, 1, 4, 3))
  table = table_of(values)
  by_strength = mean_intervals(table, scores=("mig",))["set 0", "mig"]["method 0"]
  by_beta = mean_intervals(table, scores=("mig",), over="BETA")
  curve = by_beta["set 0", "mig"]["method 0"]
  assert by_strength.x.tolist() == [0, 1, 2, 3] and curve.x.tolist() == [1, 2, 4, 8]
  for place in range(4):
    mean, half = t_interval(values[0, 0, 0, place])
    assert curve.y[place] == by_strength.y[place] == pytest.approx(mean)
    assert curve.high[place] - curve.y[place] == pytest.approx(half)
    assert curve.y[place] - curve.low[place] == pytest.approx(half)
  assert curve.counts.tolist() == [3, 3, 3, 3]


def test_one_model_is_its_own_interval():
  table = results_table([row_of("a", "m", 0, 0, "mig", 0.4)])
  curve = mean_intervals(table, scores=("mig",))["a", "mig"]["m"]
  assert curve.low.tolist() == curve.high.tolist() == [0.4]

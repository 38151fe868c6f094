import functools

import numpy as np
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.studies.analyses import (
  models_at_least,
  score_against_weight,
  t_interval,
  trade_off,
)
from disentangle_tf.studies.results_table import select


def test_models_with_fewer_active_latents_than_factors_are_left_out():
  active = np.array([3.0, 4.0, 5.0, 6.0]).reshape(1, 1, 1, 1, 4)
  values = np.concatenate([active, active / 10])
  table = table_of(values, scores=("active", "mig"))
  kept, others = models_at_least(table, score="active", least=5)
  assert select(kept, score="mig")["value"].tolist() == [0.5, 0.6]
  assert select(others, score="mig")["value"].tolist() == [0.3, 0.4]
  without = only(table, score="active", seed=3)
  kept, others = models_at_least(without, score="active", least=5)
  assert others["run"].nunique() == 3 and kept["run"].nunique() == 1


_AXES = {"x": "reconstruction_nats", "y": "factor_vae_eval_accuracy"}


def test_promises():
  analysis = functools.partial(trade_off, **_AXES)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_means_of_both_scores_in_the_order_of_the_setting():
  values = np.random.default_rng(0).random((2, 1, 1, 3, 5))
  table = table_of(values, scores=(_AXES["x"], _AXES["y"]))
  curve = trade_off(table, **_AXES, over="BETA")["set 0"]["method 0"]
  assert curve.labels == ("1", "2", "4")
  np.testing.assert_allclose(curve.x, values[0, 0, 0].mean(axis=-1))
  np.testing.assert_allclose(curve.y, values[1, 0, 0].mean(axis=-1))
  halves = [t_interval(each)[1] for each in values[1, 0, 0]]
  np.testing.assert_allclose(curve.high - curve.y, halves)


def test_models_with_both_scores():
  table = made_up_study(num_strengths=2, num_seeds=4)
  table = only(table, score="reconstruction_nats", seed=2)
  assert trade_off(table, **_AXES)["dsprites"]["beta-VAE"].counts.tolist() == [3, 3]


def test_score_against_weight_promises():
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

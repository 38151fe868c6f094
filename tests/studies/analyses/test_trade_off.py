import functools

import numpy as np
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.studies.analyses import t_interval, trade_off

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

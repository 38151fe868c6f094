import functools

import numpy as np
from study_tables import made_up_study, run_analysis_test

from disentangle_tf.studies.analyses import metric_agreement
from disentangle_tf.studies.paper_names import METRICS


def test_promises():
  analysis = functools.partial(metric_agreement, resamples=20)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=4))


def test_symmetric_with_ones_on_the_diagonal():
  for panel in metric_agreement(made_up_study(), resamples=0).values():
    assert panel.rows == panel.columns == tuple(METRICS)
    np.testing.assert_allclose(panel.values, panel.values.T)
    np.testing.assert_allclose(np.diag(panel.values), 1)


def test_scores_that_follow_one_quality_agree():
  panel = metric_agreement(made_up_study(num_seeds=10), resamples=100)["dsprites"]
  place = panel.rows.index
  beta_and_factor = place("beta_vae_eval_accuracy"), place("factor_vae_eval_accuracy")
  assert panel.low[beta_and_factor] > 0.3
  assert panel.low[place("mig"), place("modularity")] < 0.2

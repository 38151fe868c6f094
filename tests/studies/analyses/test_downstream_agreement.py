import functools

from study_tables import made_up_study, run_analysis_test

from disentangle_tf.studies.analyses import downstream_agreement


def test_promises():
  analysis = functools.partial(downstream_agreement, resamples=10)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_six_metrics_against_eight_accuracies_and_two_efficiencies():
  panel = downstream_agreement(made_up_study(num_strengths=2), resamples=0)["dsprites"]
  assert panel.values.shape == (6, 10) and panel.num_empty == 0
  assert panel.columns[:2] == ("accuracy_10", "accuracy_100")
  assert panel.columns[4] == "accuracy_10_gradient_boosting"
  assert panel.columns[8:] == ("efficiency", "efficiency_gradient_boosting")

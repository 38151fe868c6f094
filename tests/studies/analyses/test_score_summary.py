import numpy as np
from study_tables import made_up_study, row_of, run_analysis_test, table_of

from disentangle_tf.studies.analyses import score_summary
from disentangle_tf.studies.results_table import results_table


def test_promises():
  run_analysis_test(score_summary, made_up_study(num_strengths=1, num_seeds=4))


def test_means_and_deviations():
  values = np.random.default_rng(0).random((2, 2, 3, 1, 10))
  panels = score_summary(table_of(values, scores=("a", "b")), scores=("a", "b"))
  means, deviations = panels["b"]
  assert means.rows == ("method 0", "method 1", "method 2")
  assert means.columns == ("set 0", "set 1")
  np.testing.assert_allclose(means.values, values[1, :, :, 0].mean(axis=-1).T)
  expected = values[1, :, :, 0].std(axis=-1, ddof=1).T
  np.testing.assert_allclose(deviations.values, expected)
  assert (means.counts == 10).all()


def test_one_model_has_no_deviation_and_none_no_mean():
  rows = [row_of("a", "m", 0, 0, "mig", 0.4), row_of("b", "n", 0, 0, "mig", 0.5)]
  means, deviations = score_summary(results_table(rows), scores=("mig",))["mig"]
  assert means.values[0, 0] == 0.4 and means.counts.tolist() == [[1, 0], [0, 1]]
  assert means.values.mask.tolist() == [[False, True], [True, False]]
  assert deviations.values.mask.all()

import functools

from study_tables import made_up_study, run_analysis_test

from disentangle_tf.studies.analyses import unsupervised_scores
from disentangle_tf.studies.paper_names import METRICS, UNSUPERVISED


def test_promises():
  analysis = functools.partial(unsupervised_scores, resamples=20)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=4))


def test_rows_and_columns():
  panels = unsupervised_scores(made_up_study(num_strengths=2), resamples=0)
  for panel in panels.values():
    assert panel.rows == tuple(UNSUPERVISED) and panel.columns == tuple(METRICS)
    assert panel.values.shape == (4, 6) and panel.n == (60, 60)


def test_an_elbo_goes_against_a_reconstruction_error():
  table = made_up_study(num_strengths=2)
  options = {"unsupervised": ("reconstruction_nats",), "scores": ("elbo",)}
  panel = unsupervised_scores(table, resamples=0, **options)["dsprites"]
  assert panel.values[0, 0] < -0.8

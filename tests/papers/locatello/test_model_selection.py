import functools

import numpy as np
from study_figure_checks import maps_of, run_figure_test, small_study
from study_tables import made_up_study, run_analysis_test

from disentangle_tf.papers.locatello import (
  plot_unsupervised_scores,
  unsupervised_scores,
)
from disentangle_tf.studies.results_table import select
from disentangle_tf.studies.titles import METRICS, UNSUPERVISED


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


def test_plot_unsupervised_scores_promises():
  run_figure_test(plot_unsupervised_scores, resamples=10, scores=("mig", "sap"))


def test_correlations_of_the_scores_that_were_taken():
  table = small_study()
  table = select(
    table, score=[s for s in sorted(table["score"].unique()) if s != "elbo"]
  )
  found = plot_unsupervised_scores(table, resamples=10)
  axis = maps_of(found["unsupervised_scores"])[0]
  rows = ("reconstruction_nats", "kl", "sampled_gaussian_total_correlation")
  assert [label.get_text() for label in axis.get_yticklabels()] == [
    "Reconstruction", "KL", "TC (sampled)",
  ]  # fmt: skip
  panel = unsupervised_scores(table, unsupervised=rows, resamples=0)["dsprites"]
  np.testing.assert_allclose(axis.images[0].get_array(), 100 * panel.values)
  assert "ELBO" not in found["unsupervised_scores.md"]

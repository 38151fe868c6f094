import numpy as np
from study_figure_checks import maps_of, run_figure_test, small_study

from disentangle_tf.studies.analyses import unsupervised_scores
from disentangle_tf.studies.figures import plot_unsupervised_scores
from disentangle_tf.studies.results_table import select


def test_promises():
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

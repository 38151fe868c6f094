import numpy as np
from study_figure_checks import maps_of, run_figure_test
from study_tables import table_of

from disentangle_tf.studies.analyses import score_correlations
from disentangle_tf.studies.figures import plot_unified_scores

_SCORES = ("importance_dci", "information_mig", "accuracy_mig")


def _table():
  return table_of(np.random.default_rng(0).random((3, 2, 2, 3, 5)), scores=_SCORES)


def test_promises():
  run_figure_test(plot_unified_scores, _table())


def test_aggregations_together():
  figure = plot_unified_scores(_table())["unified_scores"]
  axis = maps_of(figure)[0]
  labels = [label.get_text() for label in axis.get_yticklabels()]
  assert labels == ["DCI (importance)", "MIG (information)", "MIG (accuracy)"]
  panel = score_correlations(_table(), _SCORES, _SCORES, resamples=0)["set 0"]
  np.testing.assert_allclose(axis.images[0].get_array(), 100 * panel.values)

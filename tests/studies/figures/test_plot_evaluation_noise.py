import numpy as np
import pytest
from study_figure_checks import maps_of, run_figure_test
from study_tables import table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import evaluation_noise
from disentangle_tf.studies.figures import plot_evaluation_noise
from disentangle_tf.studies.results_table import select

_REPEATS = ["repeat_0_mig", "repeat_1_mig"]


def _table():
  rng = np.random.default_rng(0)
  models = rng.normal(size=(1, 2, 2, 3, 5))
  return table_of(models + 0.1 * rng.normal(size=(2, 2, 2, 3, 5)), scores=_REPEATS)


def test_promises():
  run_figure_test(plot_evaluation_noise, _table())


def test_ratios_and_agreement():
  found = plot_evaluation_noise(_table())
  assert list(found) == ["evaluation_noise", "evaluation_agreement"]
  panels = evaluation_noise(_table(), {"mig": _REPEATS})
  for figure, panel in zip(found.values(), panels, strict=True):
    (axis,) = maps_of(figure)
    np.testing.assert_allclose(axis.images[0].get_array(), panel.values)
    assert axis.get_title().endswith("n = 30")


def test_scores_that_were_taken_once_are_refused():
  with pytest.raises(UserError, match="taken twice or more"):
    plot_evaluation_noise(select(_table(), score="repeat_0_mig"))

import functools

import numpy as np
import pytest
from study_figure_checks import maps_of, run_figure_test
from study_tables import only, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello import evaluation_noise, plot_evaluation_noise
from disentangle_tf.papers.locatello.noise import noise_ratio
from disentangle_tf.studies.results_table import select

_REPEATS = tuple(f"repeat_{number}_mig" for number in range(5))


def _table(model_deviation, noise_deviation):
  rng = np.random.default_rng(0)
  models = model_deviation * rng.normal(size=(1, 2, 6, 6, 20))
  noise = noise_deviation * rng.normal(size=(5, 2, 6, 6, 20))
  return table_of(models + noise, scores=_REPEATS)


def test_promises():
  analysis = functools.partial(evaluation_noise, repeats={"mig": _REPEATS})
  run_analysis_test(analysis, _table(1, 0.5))


def test_noise_over_the_variance_of_models():
  ratios, agreement = evaluation_noise(_table(2, 1), {"mig": _REPEATS})
  np.testing.assert_allclose(ratios.values, 0.25, atol=0.03)
  assert (ratios.counts == 720).all() and ratios.columns == ("mig",)
  # Pearson's correlation of two repeats is 4 / 5; of normal values Spearman's is less.
  expected = 6 / np.pi * np.arcsin(0.8 / 2)
  np.testing.assert_allclose(agreement.values, expected, atol=0.03)


def test_an_exact_metric_has_no_noise():
  ratios, agreement = evaluation_noise(_table(1, 0), {"mig": _REPEATS})
  np.testing.assert_allclose(ratios.values, 0, atol=1e-20)
  np.testing.assert_allclose(agreement.values, 1)


def test_known_ratio():
  values = np.array([[0.0, 2.0], [10.0, 12.0], [20.0, 22.0]])
  # Noise 2; means 1, 11, 21 of variance 100, of which 2 / 2 is noise.
  assert noise_ratio(values) == pytest.approx(2 / 99)
  assert np.isnan(noise_ratio(np.array([[0.0, 2.0], [2.0, 0.0]])))


def test_models_that_differ_no_more_than_repeats_are_an_empty_cell():
  values = np.tile(np.array([0.0, 1.0]).reshape(2, 1, 1, 1, 1), (1, 1, 1, 1, 6))
  names = ("repeat_0_mig", "repeat_1_mig")
  ratios, agreement = evaluation_noise(table_of(values, scores=names), {"mig": names})
  assert ratios.num_empty == 1 and agreement.num_empty == 1


def test_models_that_lack_a_repeat_do_not_count():
  table = only(_table(1, 1), score=_REPEATS[0], seed=3)
  ratios, _ = evaluation_noise(table, {"mig": _REPEATS})
  assert ratios.counts.tolist() == [[684], [684]]


_PLOT_EVALUATION_NOISE_REPEATS = ["repeat_0_mig", "repeat_1_mig"]


def _plot_evaluation_noise_table():
  rng = np.random.default_rng(0)
  models = rng.normal(size=(1, 2, 2, 3, 5))
  return table_of(
    models + 0.1 * rng.normal(size=(2, 2, 2, 3, 5)),
    scores=_PLOT_EVALUATION_NOISE_REPEATS,
  )


def test_plot_evaluation_noise_promises():
  run_figure_test(plot_evaluation_noise, _plot_evaluation_noise_table())


def test_ratios_and_agreement():
  found = plot_evaluation_noise(_plot_evaluation_noise_table())
  assert list(found) == ["evaluation_noise", "evaluation_agreement"]
  panels = evaluation_noise(
    _plot_evaluation_noise_table(), {"mig": _PLOT_EVALUATION_NOISE_REPEATS}
  )
  for figure, panel in zip(found.values(), panels, strict=True):
    (axis,) = maps_of(figure)
    np.testing.assert_allclose(axis.images[0].get_array(), panel.values)
    assert axis.get_title().endswith("n = 30")


def test_scores_that_were_taken_once_are_refused():
  with pytest.raises(UserError, match="taken twice or more"):
    plot_evaluation_noise(select(_plot_evaluation_noise_table(), score="repeat_0_mig"))

import functools

import numpy as np
import pytest
from study_figure_checks import maps_of, run_figure_test, small_study
from study_tables import made_up_study, run_analysis_test, table_of

from disentangle_tf.papers.locatello import (
  downstream_agreement,
  plot_downstream,
  statistical_efficiency,
)
from disentangle_tf.studies.results_table import select


def test_promises():
  analysis = functools.partial(downstream_agreement, resamples=10)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_six_metrics_against_eight_accuracies_and_two_efficiencies():
  panel = downstream_agreement(made_up_study(num_strengths=2), resamples=0)["dsprites"]
  assert panel.values.shape == (6, 10) and panel.num_empty == 0
  assert panel.columns[:2] == ("accuracy_10", "accuracy_100")
  assert panel.columns[4] == "accuracy_10_gradient_boosting"
  assert panel.columns[8:] == ("efficiency", "efficiency_gradient_boosting")


_SCORES = ("mig", "accuracy_100", "accuracy_10000")


@pytest.mark.parametrize("boosting", [True, False])
def test_statistical_efficiency_promises(boosting):
  analysis = functools.partial(statistical_efficiency, boosting=boosting)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


@pytest.mark.parametrize("end", ["", "_gradient_boosting"])
def test_accuracy_of_a_hundred_over_that_of_ten_thousand(end):
  values = np.array([0.3, 0.2, 0.8]).reshape(3, 1, 1, 1, 1)
  scores = ["mig", *(score + end for score in _SCORES[1:])]
  panels = statistical_efficiency(
    table_of(values, scores=scores), scores=("mig",), boosting=bool(end)
  )
  np.testing.assert_allclose(panels["set 0", "mig"]["method 0"], [[0.3, 0.25]])


def test_other_numbers_of_labels():
  values = np.array([0.3, 0.2, 0.8]).reshape(3, 1, 1, 1, 1)
  table = table_of(values, scores=("mig", "accuracy_5", "accuracy_50"))
  panels = statistical_efficiency(table, scores=("mig",), labels=(5, 50))
  np.testing.assert_allclose(panels["set 0", "mig"]["method 0"], [[0.3, 0.25]])


def test_nothing_learned_has_no_efficiency():
  values = np.array([[0.3, 0.3], [0.2, 0.2], [0.0, 0.4]]).reshape(3, 1, 1, 1, 2)
  panels = statistical_efficiency(table_of(values, scores=_SCORES), scores=("mig",))
  np.testing.assert_allclose(panels["set 0", "mig"]["method 0"], [[0.3, 0.5]])


_TWO = ("mig", "sap")


def test_plot_downstream_promises():
  run_figure_test(plot_downstream, resamples=10, scores=_TWO)


def test_accuracies_and_efficiencies():
  found = plot_downstream(small_study(), resamples=10, scores=_TWO)
  assert list(found) == [
    "downstream_agreement", "downstream_agreement.md",
    "efficiency_logistic_regression", "efficiency_boosted_trees",
  ]  # fmt: skip
  axis = maps_of(found["downstream_agreement"])[0]
  assert axis.images[0].get_array().shape == (2, 10)
  assert "GBT10000" in found["downstream_agreement.md"]
  trees = found["efficiency_boosted_trees"]
  assert len(trees.axes) == 6
  assert "gradient boosted trees" in trees.get_supxlabel().replace("\n", " ")


def test_a_thousand_labels_are_many_where_there_are_no_more():
  table = small_study()
  scores = [score for score in sorted(table["score"].unique()) if "10000" not in score]
  found = plot_downstream(select(table, score=scores), resamples=0, scores=_TWO)
  words = found["efficiency_boosted_trees"].get_supxlabel().replace("\n", " ")
  assert "after 100 labels over that after 1,000" in words


def test_predictors_that_were_not_taken_are_left_out():
  table = small_study()
  scores = [
    score for score in sorted(table["score"].unique()) if "boosting" not in score
  ]
  found = plot_downstream(select(table, score=scores), resamples=0, scores=_TWO)
  assert "efficiency_boosted_trees" not in found
  assert "efficiency_logistic_regression" in found

from study_figure_checks import maps_of, run_figure_test, small_study

from disentangle_tf.studies.figures import plot_downstream
from disentangle_tf.studies.results_table import select

_TWO = ("mig", "sap")


def test_promises():
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

import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import row_of

from disentangle_tf.studies.figures import plot_score_against_strength
from disentangle_tf.studies.results_table import results_table

_TWO = ("mig", "sap")


def test_promises():
  run_figure_test(plot_score_against_strength, scores=_TWO)


def test_one_line_per_method():
  figure = plot_score_against_strength(small_study(), scores=_TWO)[
    "score_against_strength"
  ]
  assert len(figure.axes) == 6 and len(figure.axes[0].get_lines()) == 6
  assert figure.axes[0].get_ylabel() == "dSprites"
  assert figure.axes[0].texts[0].get_text() == "n = 36"


@pytest.mark.parametrize(("which", "value"), [("best", 0.2), ("last", 0.05)])
def test_best_and_last_evaluations(which, value):
  table = results_table(
    row_of("a", "m", 0, seed, "mig", step / 10 if step < 3 else 0.05, step=step)
    for seed in range(3)
    for step in (1, 2, 3)
  )
  (figure,) = plot_score_against_strength(table, which=which).values()
  assert figure.axes[0].get_lines()[0].get_ydata().tolist() == [value]
  words = figure.get_supxlabel().replace("\n", " ")
  assert f"{which.capitalize()} evaluation" in words

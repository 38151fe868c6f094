import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures import plot_mean_against_sampled
from disentangle_tf.studies.results_table import select


def test_promises():
  run_figure_test(plot_mean_against_sampled)


def test_one_point_per_model_and_the_identity():
  figure = plot_mean_against_sampled(small_study())["mean_against_sampled"]
  assert [axis.get_title() for axis in figure.axes] == [
    "dSprites", "Color-dSprites", "Noisy-dSprites",
  ]  # fmt: skip
  axis = figure.axes[0]
  assert axis.get_lines()[0].get_slope() == 1
  assert sum(len(each.get_offsets()) for each in axis.collections) == 36
  assert axis.texts[0].get_text() == "n = 36"


def test_zeros_are_counted_in_the_caption():
  values = np.ones((2, 1, 1, 1, 4))
  values[0, ..., :2] = 0
  scores = ("gaussian_total_correlation", "sampled_gaussian_total_correlation")
  found = plot_mean_against_sampled(table_of(values, scores=scores))
  words = found["mean_against_sampled"].get_supxlabel().replace("\n", " ")
  assert words.startswith("2 models with a total correlation of 0 are left out.")


def test_a_table_without_one_of_them_is_refused():
  table = select(small_study(), score="gaussian_total_correlation")
  with pytest.raises(
    UserError, match="plot_mean_against_sampled needs one of sampled_"
  ):
    plot_mean_against_sampled(table)

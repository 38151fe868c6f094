from study_figure_checks import run_figure_test, small_study

from disentangle_tf.studies.analyses import score_against_method
from disentangle_tf.studies.figures import plot_score_against_method

_TWO = ("mig", "sap")


def test_promises():
  run_figure_test(plot_score_against_method, scores=_TWO)


def test_medians_and_models():
  table = small_study()
  medians, models = plot_score_against_method(table, scores=_TWO).values()
  assert len(medians.axes) == len(models.axes) == 3 * 2
  assert medians.axes[0].texts[0].get_text() == "n = 12"
  assert models.axes[0].texts[0].get_text() == "n = 36"
  values = score_against_method(table, scores=_TWO)["dsprites", "mig"]["beta-VAE"]
  points = medians.axes[0].collections[0].get_offsets()[:, 1]
  assert points.tolist() == values.tolist()
  assert medians.axes[0].get_ylabel() == "dSprites"
  assert medians.axes[0].get_title() == "MIG"

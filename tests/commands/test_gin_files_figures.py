"""Every shipped file of figures draws, from made-up scores of a made-up study."""

import matplotlib.figure
import pytest
from matplotlib import pyplot

from disentangle_tf import studies
from disentangle_tf.commands.shipped_files import shipped
from disentangle_tf.commands.study_configuration import read_plots
from disentangle_tf.studies.analyses.unified_scores import AGGREGATIONS
from disentangle_tf.studies.figures.plot_unified_scores import MATRICES
from disentangle_tf.studies.paper_names import (
  BOOSTING,
  LOGISTIC,
  METRICS,
  UNSUPERVISED,
)
from disentangle_tf.studies.plan import plan_study

NAMES = shipped("studies/figures")
OF_MODELS = {"plot_latent_planes", "plot_model_groups"}
OF_MATRICES = {"plot_independent_groups"}  # which are no scores
SCORES = [
  *(*METRICS, *UNSUPERVISED, *LOGISTIC, *BOOSTING),
  *("gaussian_total_correlation", "hoyer", "active_latents_by_variance"),
  *("repeat_0_mig", "repeat_1_mig", "points_100_mig", "points_1000_mig"),
  *(f"{matrix}_{way}" for matrix in MATRICES for way in AGGREGATIONS),
]
METHODS = {"michlo_figure_11": ["beta-VAE, MSE", "Ada-GVAE, overlap"]}
SWEEP = {
  "BETA": [1.0, 4.0],
  "ALPHA_AGGREGATE": [0, 100],
  "data.XYSquares.grid_spacing": [1, 2],
}


def _plans(name):
  return plan_study(
    {method: ["run.gin"] for method in METHODS.get(name, ["beta-VAE", "Ada-GVAE"])},
    data={"dsprites": [], "cars3d": []},
    sweep=SWEEP,
    seeds=2,
    metrics="metrics.gin",
  )


@pytest.mark.parametrize("name", NAMES)
def test_every_file_draws(name):
  plots = read_plots([f"gin/studies/figures/{name}.gin"], [])
  for plot in plots:
    found = studies.rehearse(plot, _plans(name), SCORES)
    if plot.__name__ in OF_MODELS:  # which there are none of yet
      assert found == {}
      continue
    figures = [each for each in found.values() if not isinstance(each, str)]
    assert figures
    assert all(isinstance(figure, matplotlib.figure.Figure) for figure in figures)
    assert all(figure.axes for figure in figures)
  pyplot.close("all")


def test_every_plot_of_scores_has_a_file():
  drawn = {
    plot.__name__
    for name in NAMES
    for plot in read_plots([f"gin/studies/figures/{name}.gin"], [])
  }
  assert drawn - OF_MODELS == set(studies.figures.__all__) - OF_MATRICES


def test_the_list_of_locatello_is_that_of_its_files():
  listed = read_plots(["gin/studies/figures/locatello.gin"], [])
  single = [
    plot
    for name in NAMES
    if name.startswith("locatello_") and "2020" not in name
    for plot in read_plots([f"gin/studies/figures/{name}.gin"], [])
  ]
  names = [plot.__name__ for plot in single]
  assert sorted(plot.__name__ for plot in listed) == sorted(names)

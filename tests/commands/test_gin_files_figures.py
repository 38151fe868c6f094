"""Every figure of a paper draws, from made-up scores of a made-up study."""

import matplotlib.figure
import pytest
from matplotlib import pyplot

from disentangle_tf import papers, studies
from disentangle_tf.commands.study_configuration import read_plots
from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello.figures import FIGURES_OF_2019
from disentangle_tf.papers.locatello.unified import AGGREGATIONS, MATRICES
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.titles import BOOSTING, LOGISTIC, METRICS, UNSUPERVISED

# Of a shipped study the figures that ask for scores alone.
OF_STUDIES = [
  *("mathieu_figure_2", "mathieu_figure_4", "michlo_figure_6", "michlo_figure_9"),
  *("michlo_figure_9_beta_vae", "michlo_figure_11", "michlo_full_size"),
  *("michlo_other_sets", "zietlow_figure_5", "zietlow_table_1"),
  *("zietlow_figure_5_paper_size", "zietlow_table_1_paper_size"),
  *("zietlow_table_1_shapes3d_paper_size",),
]
NAMES = [*papers.FIGURES, *OF_STUDIES]
OF_MODELS = {
  *("plot_latent_planes", "plot_model_groups", "plot_reconstructions", "plot_udr"),
}
OF_RUNS = {"plot_score_strips", "plot_score_curves"}  # which ask for the runs
OF_MATRICES = {"plot_independent_groups"}  # which are no scores
SCORES = [
  *(*METRICS, *UNSUPERVISED, *LOGISTIC, *BOOSTING),
  *("gaussian_total_correlation", "hoyer", "active_latents_by_variance"),
  *("repeat_0_mig", "repeat_1_mig", "points_100_mig", "points_1000_mig"),
  *(f"{matrix}_{way}" for matrix in MATRICES for way in AGGREGATIONS),
]
_BOTH = ["beta-VAE, MSE", "Ada-GVAE, MSE", "Ada-GVAE, overlap", "beta-VAE, overlap"]
METHODS = dict.fromkeys(
  ["michlo_figure_11", "michlo_full_size", "michlo_other_sets"], _BOTH
)
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
  plots = read_plots([], [], name)
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
  public = {*studies.figures.__all__, *papers.locatello.__all__}
  public = {name for name in public if name.startswith("plot_")}
  drawn = {plot.__name__ for name in NAMES for plot in read_plots([], [], name)}
  assert drawn - OF_MODELS - OF_RUNS == public - OF_MODELS - OF_MATRICES


def test_settings_of_a_figure_can_be_overridden():
  (plot,) = read_plots(
    [], ["papers.locatello.plot_metric_agreement.scores=['sap']"], "locatello_figure_6"
  )
  (name,) = {"metric_agreement"} & {*studies.rehearse(plot, _plans("any"), SCORES)}
  assert name


@pytest.mark.parametrize(
  ("files", "name", "words"),
  [
    ([], "locatello_figure_66", "no figure 'locatello_figure_66'; did you mean"),
    (["gin/studies/michlo_figure_6.gin"], "locatello_all", "keep one"),
    ([], None, "add --figure locatello_all"),
  ],
)
def test_what_is_wrong_with_a_figure(files, name, words):
  with pytest.raises(UserError, match=words):
    read_plots(files, [], name)


def test_all_of_locatello_are_the_single_ones():
  single = [p for plots in FIGURES_OF_2019.values() for p in plots]
  assert papers.FIGURES["locatello_all"] == single and len(single) == 10

"""Figures of Locatello et al. 2019 and of their extended study (JMLR 2020), by name."""

from disentangle_tf.papers.locatello.agreement import plot_metric_agreement
from disentangle_tf.papers.locatello.data_transfer import (
  plot_transfer_between_data,
)
from disentangle_tf.papers.locatello.downstream import plot_downstream
from disentangle_tf.papers.locatello.groups import plot_model_groups
from disentangle_tf.papers.locatello.model_selection import plot_unsupervised_scores
from disentangle_tf.papers.locatello.noise import plot_evaluation_noise
from disentangle_tf.papers.locatello.reconstructions import plot_reconstructions
from disentangle_tf.papers.locatello.sample_efficiency import (
  plot_metric_sample_efficiency,
)
from disentangle_tf.papers.locatello.settings_transfer import (
  plot_transfer_of_settings,
)
from disentangle_tf.papers.locatello.total_correlation import (
  plot_mean_against_sampled,
  plot_total_correlation,
)
from disentangle_tf.papers.locatello.unified import plot_unified_scores
from disentangle_tf.papers.locatello.unsupervised_ranking import plot_udr
from disentangle_tf.papers.locatello.variance import plot_variance_shares
from disentangle_tf.studies import figures

# Most need the six metrics of the protocol locatello, or some of them.
FIGURES_OF_2019 = {
  # Total correlation of sampled and of mean codes against strength, figures 2, 3, 15
  # and 16. Needs gaussian_total_correlation and sampled_gaussian_total_correlation.
  "locatello_figure_2": [plot_total_correlation],
  # The same two against each other.
  "locatello_figure_4": [plot_mean_against_sampled],
  # Metrics against each other on one data set, figure 5, and their rank correlations.
  "locatello_figure_6": [plot_metric_agreement],
  # What each method attains.
  "locatello_figure_7": [figures.plot_score_against_method],
  # Scores against strength.
  "locatello_figure_8": [figures.plot_score_against_strength],
  # Can a score without labels select a model? Also needs reconstruction_nats, kl, elbo
  # or sampled_gaussian_total_correlation.
  "locatello_figure_9": [plot_unsupervised_scores],
  # Do good settings transfer between data sets, figures 10 and 11? Needs two sets.
  "locatello_figure_11": [plot_transfer_between_data],
  # Does the setting that is best elsewhere beat a random one? Needs two data sets.
  "locatello_table_1": [plot_transfer_of_settings],
  # Metrics, downstream tasks and statistical efficiency, figures 12 to 14. Needs
  # accuracy_10 to accuracy_10000, also with _gradient_boosting.
  "locatello_figure_12": [plot_downstream],
  # How much of a score's variance method and strength explain (ICML version).
  "locatello_variance": [plot_variance_shares],
}

FIGURES = {
  **FIGURES_OF_2019,
  "locatello_all": [plot for plots in FIGURES_OF_2019.values() for plot in plots],
  # Reconstructions of the first model of each run. Needs the exports, no scores.
  "locatello_figure_1": [plot_reconstructions],
  # Do models that differ in their seed agree (UDR, Duan et al. 2020)? Needs exports.
  "locatello_udr": [plot_udr],
  # How many factors the first model of each run finds, and how many it keeps apart.
  # Needs the exports, no scores.
  "locatello_2020_groups": [plot_model_groups],
  # How noisy evaluations are. Needs scores that were taken several times.
  "locatello_2020_noise": [plot_evaluation_noise],
  # How many points metrics need. Needs scores such as points_100_mig.
  "locatello_2020_points": [plot_metric_sample_efficiency],
  # Do metrics differ in their matrix or in its aggregation? Needs scores such as
  # information_mig, of `unified_scores`.
  "locatello_2020_unified": [plot_unified_scores],
}

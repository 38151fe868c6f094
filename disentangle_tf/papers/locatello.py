"""The figures of Locatello et al. 2019, and of their extended study (JMLR 2020)."""

from disentangle_tf.studies import figures

# Most need the six metrics of the protocol locatello, or some of them.
FIGURES_OF_2019 = {
  # Total correlation of sampled and of mean codes against strength, figures 2, 3, 15
  # and 16. Needs gaussian_total_correlation and sampled_gaussian_total_correlation.
  "locatello_figure_2": [figures.plot_total_correlation],
  # The same two against each other.
  "locatello_figure_4": [figures.plot_mean_against_sampled],
  # Metrics against each other on one data set, figure 5, and their rank correlations.
  "locatello_figure_6": [figures.plot_metric_agreement],
  # What each method attains.
  "locatello_figure_7": [figures.plot_score_against_method],
  # Scores against strength.
  "locatello_figure_8": [figures.plot_score_against_strength],
  # Can a score without labels select a model? Also needs reconstruction_nats, kl, elbo
  # or sampled_gaussian_total_correlation.
  "locatello_figure_9": [figures.plot_unsupervised_scores],
  # Do good settings transfer between data sets, figures 10 and 11? Needs two sets.
  "locatello_figure_11": [figures.plot_transfer_between_data],
  # Does the setting that is best elsewhere beat a random one? Needs two data sets.
  "locatello_table_1": [figures.plot_transfer_of_settings],
  # Metrics, downstream tasks and statistical efficiency, figures 12 to 14. Needs
  # accuracy_10 to accuracy_10000, also with _gradient_boosting.
  "locatello_figure_12": [figures.plot_downstream],
  # How much of a score's variance method and strength explain (ICML version).
  "locatello_variance": [figures.plot_variance_shares],
}

FIGURES = {
  **FIGURES_OF_2019,
  "locatello_all": [plot for plots in FIGURES_OF_2019.values() for plot in plots],
  # How many factors the first model of each run finds, and how many it keeps apart.
  # Needs the exports, no scores.
  "locatello_2020_groups": [figures.plot_model_groups],
  # How noisy evaluations are. Needs scores that were taken several times.
  "locatello_2020_noise": [figures.plot_evaluation_noise],
  # How many points metrics need. Needs scores such as points_100_mig.
  "locatello_2020_points": [figures.plot_metric_sample_efficiency],
  # Do metrics differ in their matrix or in its aggregation? Needs scores such as
  # information_mig, of studies.analyses.unified_scores.
  "locatello_2020_unified": [figures.plot_unified_scores],
}

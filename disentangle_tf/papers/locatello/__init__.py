"""Locatello et al. 2019, Challenging Common Assumptions: its figures and tables."""

from disentangle_tf.papers.locatello.agreement import (
  metric_agreement,
  metric_scatter,
  plot_metric_agreement,
)
from disentangle_tf.papers.locatello.data_transfer import (
  plot_transfer_between_data,
  transfer_between_data,
  transfer_scatter,
)
from disentangle_tf.papers.locatello.downstream import (
  downstream_agreement,
  plot_downstream,
  statistical_efficiency,
)
from disentangle_tf.papers.locatello.figures import FIGURES
from disentangle_tf.papers.locatello.groups import (
  IndependentGroups,
  independent_groups,
  plot_independent_groups,
  plot_model_groups,
)
from disentangle_tf.papers.locatello.model_selection import (
  plot_unsupervised_scores,
  unsupervised_scores,
)
from disentangle_tf.papers.locatello.noise import (
  evaluation_noise,
  plot_evaluation_noise,
)
from disentangle_tf.papers.locatello.reconstructions import plot_reconstructions
from disentangle_tf.papers.locatello.sample_efficiency import (
  metric_sample_efficiency,
  plot_metric_sample_efficiency,
)
from disentangle_tf.papers.locatello.settings_transfer import (
  SettingTransfer,
  plot_transfer_of_settings,
  transfer_of_settings,
)
from disentangle_tf.papers.locatello.total_correlation import (
  mean_against_sampled,
  plot_mean_against_sampled,
  plot_total_correlation,
  total_correlation_curves,
)
from disentangle_tf.papers.locatello.unified import plot_unified_scores, unified_scores
from disentangle_tf.papers.locatello.unsupervised_ranking import plot_udr
from disentangle_tf.papers.locatello.variance import (
  VarianceShares,
  plot_variance_shares,
  share_of_variance,
  variance_shares,
)

__all__ = [
  "FIGURES",
  "IndependentGroups",
  "SettingTransfer",
  "VarianceShares",
  "downstream_agreement",
  "evaluation_noise",
  "independent_groups",
  "mean_against_sampled",
  "metric_agreement",
  "metric_sample_efficiency",
  "metric_scatter",
  "plot_downstream",
  "plot_evaluation_noise",
  "plot_independent_groups",
  "plot_mean_against_sampled",
  "plot_metric_agreement",
  "plot_metric_sample_efficiency",
  "plot_model_groups",
  "plot_reconstructions",
  "plot_total_correlation",
  "plot_transfer_between_data",
  "plot_transfer_of_settings",
  "plot_udr",
  "plot_unified_scores",
  "plot_unsupervised_scores",
  "plot_variance_shares",
  "share_of_variance",
  "statistical_efficiency",
  "total_correlation_curves",
  "transfer_between_data",
  "transfer_of_settings",
  "transfer_scatter",
  "unified_scores",
  "unsupervised_scores",
  "variance_shares",
]

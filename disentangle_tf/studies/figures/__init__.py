"""Figures and tables of a study: functions of a results table, a pandas frame.

Each gives {file name: matplotlib figure}; names that end in .md are Markdown text.
"""

from disentangle_tf.studies.figures.claims import plot_claims
from disentangle_tf.studies.figures.curves import (
  plot_mean_intervals,
  plot_score_against_strength,
  plot_trade_off,
)
from disentangle_tf.studies.figures.distributions import (
  plot_score_against_method,
  plot_score_summary,
  plot_score_violins,
)
from disentangle_tf.studies.figures.fits import (
  plot_score_against_weight,
  plot_score_fit,
)

__all__ = [
  "plot_claims",
  "plot_mean_intervals",
  "plot_score_against_method",
  "plot_score_against_strength",
  "plot_score_against_weight",
  "plot_score_fit",
  "plot_score_summary",
  "plot_score_violins",
  "plot_trade_off",
]

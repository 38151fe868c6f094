"""Many trainings as one command: sweeps, their table, their figures."""

from disentangle_tf.studies.finished_run import FinishedRun
from disentangle_tf.studies.plotting_models import plot_levels, plot_traversals
from disentangle_tf.studies.plotting_scores import plot_score_curves, plot_score_strips
from disentangle_tf.studies.score_names import score_names
from disentangle_tf.studies.study import study
from disentangle_tf.studies.train_and_score import train_and_score

__all__ = [
  "FinishedRun",
  "plot_levels",
  "plot_score_curves",
  "plot_score_strips",
  "plot_traversals",
  "score_names",
  "study",
  "train_and_score",
]

"""Many trainings as one command: their plan, workers, table and figures."""

from disentangle_tf.studies import figures
from disentangle_tf.studies.finished_run import FinishedRun
from disentangle_tf.studies.in_process import run_study
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.plotting_directions import plot_directions
from disentangle_tf.studies.plotting_models import (
  plot_levels,
  plot_traversals,
)
from disentangle_tf.studies.plotting_planes import plot_latent_planes
from disentangle_tf.studies.plotting_scores import plot_score_curves, plot_score_strips
from disentangle_tf.studies.rehearsal import rehearse
from disentangle_tf.studies.run import Run
from disentangle_tf.studies.score_names import score_names
from disentangle_tf.studies.study import Study

__all__ = [
  "FinishedRun",
  "Plan",
  "Run",
  "Study",
  "figures",
  "plot_directions",
  "plot_latent_planes",
  "plot_levels",
  "plot_score_curves",
  "plot_score_strips",
  "plot_traversals",
  "rehearse",
  "run_study",
  "score_names",
]

"""Many trainings as one command: their plan, workers, table and figures."""

from disentangle_tf.studies import figures
from disentangle_tf.studies.drawing import rehearse
from disentangle_tf.studies.figures.curves import plot_score_curves, plot_score_strips
from disentangle_tf.studies.figures.models import (
  plot_latent_planes,
  plot_levels,
  plot_traversals,
)
from disentangle_tf.studies.finished_run import FinishedRun
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.run import Run, run_study
from disentangle_tf.studies.study import Study

__all__ = [
  "FinishedRun",
  "Plan",
  "Run",
  "Study",
  "figures",
  "plot_latent_planes",
  "plot_levels",
  "plot_score_curves",
  "plot_score_strips",
  "plot_traversals",
  "rehearse",
  "run_study",
]

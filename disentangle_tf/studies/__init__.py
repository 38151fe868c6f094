"""Many trainings as one command: sweeps, their table, their figures."""

from disentangle_tf.studies.drawing_models import draw_levels, draw_traversals
from disentangle_tf.studies.drawing_scores import draw_score_curves, draw_score_strips
from disentangle_tf.studies.finished_run import FinishedRun
from disentangle_tf.studies.score_names import score_names
from disentangle_tf.studies.study import study
from disentangle_tf.studies.train_and_score import train_and_score

__all__ = [
  "FinishedRun",
  "draw_levels",
  "draw_score_curves",
  "draw_score_strips",
  "draw_traversals",
  "score_names",
  "study",
  "train_and_score",
]

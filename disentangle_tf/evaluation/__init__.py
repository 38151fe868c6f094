"""Scores of models, ours or foreign: measure one, or compare several."""

from disentangle_tf.evaluation.comparison import Comparison
from disentangle_tf.evaluation.many_models import compare
from disentangle_tf.evaluation.one_model import evaluate
from disentangle_tf.scoring import protocols

__all__ = [
  "Comparison",
  "compare",
  "evaluate",
  "protocols",
]

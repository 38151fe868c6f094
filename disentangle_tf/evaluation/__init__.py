"""Scoring models: encode what is asked for once, then look everything up."""

from disentangle_tf.evaluation import protocols
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.evaluation.compare import compare
from disentangle_tf.evaluation.comparison import Comparison
from disentangle_tf.evaluation.evaluate import evaluate
from disentangle_tf.evaluation.measurement import Measurement
from disentangle_tf.evaluation.visualize import visualize

__all__ = [
  "CodesTable",
  "Comparison",
  "Measurement",
  "compare",
  "evaluate",
  "protocols",
  "visualize",
]

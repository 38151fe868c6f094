"""Scores of models, ours or foreign: measure one, or compare several."""

from disentangle_tf.evaluation import protocols
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.evaluation.compare import compare
from disentangle_tf.evaluation.comparison import Comparison
from disentangle_tf.evaluation.endless_codes import EndlessCodes
from disentangle_tf.evaluation.evaluate import evaluate
from disentangle_tf.evaluation.measurement import Measurement
from disentangle_tf.evaluation.observations import Observations

__all__ = [
  "CodesTable",
  "Comparison",
  "EndlessCodes",
  "Measurement",
  "Observations",
  "compare",
  "evaluate",
  "protocols",
]

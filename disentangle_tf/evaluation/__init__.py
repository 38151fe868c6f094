"""Scoring a model: encode the set once, then look everything up."""

from disentangle_tf.evaluation import protocols
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.evaluation.evaluate import evaluate
from disentangle_tf.evaluation.measurement import Measurement

__all__ = ["CodesTable", "Measurement", "evaluate", "protocols"]

"""The export contract: writing and reading a SavedModel with a manifest."""

from disentangle_tf.export.exported_model import ExportedModel
from disentangle_tf.export.generative_model import GenerativeModel
from disentangle_tf.export.manifest import CONTRACT_VERSION, read_manifest
from disentangle_tf.export.model_description import (
  loss_of_distances,
  reconstruction_loss_of,
)
from disentangle_tf.export.writing import write_export

__all__ = [
  "CONTRACT_VERSION",
  "ExportedModel",
  "GenerativeModel",
  "loss_of_distances",
  "read_manifest",
  "reconstruction_loss_of",
  "write_export",
]

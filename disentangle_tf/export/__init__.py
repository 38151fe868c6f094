"""The export contract: a SavedModel with a manifest, written and read."""

from disentangle_tf.export.exported_model import ExportedModel
from disentangle_tf.export.generative_model import GenerativeModel
from disentangle_tf.export.manifest import CONTRACT_VERSION, read_manifest
from disentangle_tf.export.writing import write_export

__all__ = [
  "CONTRACT_VERSION",
  "ExportedModel",
  "GenerativeModel",
  "read_manifest",
  "write_export",
]

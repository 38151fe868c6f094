"""Tells by its name what a file or folder holds: which kind of model, or arrays."""

import os
import pathlib

from disentangle_tf.errors import ModelError

_SUFFIXES = {".onnx": "onnx", ".keras": "keras", ".npz": "arrays", ".npy": "arrays"}


def find_kind(path):
  """What lies at `path`: "saved_model", "onnx", "keras", "arrays", or None.

  "arrays" are codes that somebody computed, without a model.
  """
  path = pathlib.Path(path)
  if os.path.isdir(path):  # which is False for what cannot be asked
    try:
      names = os.listdir(path)
    except OSError as error:
      raise ModelError(f"{path} cannot be read ({error.strerror})") from error
    forms = [name for name in names if name.startswith("saved_model.")]
    return "saved_model" if forms else None
  return _SUFFIXES.get(path.suffix.lower()) if os.path.isfile(path) else None


def holds_arrays(path):
  """Whether codes lie at `path`, in an .npz or .npy file, rather than a model."""
  return find_kind(path) == "arrays"

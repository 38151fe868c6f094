"""Finds by its name what a file or folder holds: a kind of model, or arrays."""

import os
import pathlib

from disentangle_tf.errors import ModelError

_SUFFIXES = {".onnx": "onnx", ".keras": "keras", ".npz": "arrays", ".npy": "arrays"}


def find_kind(path: str | os.PathLike) -> str | None:
  """Find what lies at `path`: "saved_model", "onnx", "keras", "arrays", or None.

  "arrays" are codes that were computed elsewhere, without a model.
  """
  path = pathlib.Path(path)
  if os.path.isdir(path):  # False if the path cannot be read
    try:
      names = os.listdir(path)
    except OSError as error:
      raise ModelError(f"{path} cannot be read ({error.strerror})") from error
    forms = [name for name in names if name.startswith("saved_model.")]
    return "saved_model" if forms else None
  return _SUFFIXES.get(path.suffix.lower()) if os.path.isfile(path) else None


def holds_arrays(path: str | os.PathLike) -> bool:
  """Whether an .npz or .npy file of codes lies at `path`, rather than a model."""
  return find_kind(path) == "arrays"

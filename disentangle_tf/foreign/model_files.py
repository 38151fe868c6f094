"""What lies at a path: models, arrays, other formats."""

from __future__ import annotations

import glob
import logging
import os
import pathlib
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Iterable


_OF_TORCH = (
  "holds weights of PyTorch, without the network; where its code is, "
  "torch.onnx.export(encoder.eval(), (images,), '{name}.onnx') makes a model of them"
)
_CHECKPOINT = (
  "is a checkpoint, without the network; where its code is, torch.onnx.export(encoder, "
  "(images,), '{name}.onnx') or tf.saved_model.save(encoder, '{name}') makes a model "
  "of it"
)
_PICKLE = (
  "is a pickle, which runs code when it is opened; where the file was made, "
  "skl2onnx.to_onnx(model, images[:1]) makes an ONNX file of scikit-learn's models"
)
_HDF5 = (
  "has an old format of Keras; keras.saving.load_model('{name}{suffix}', compile=False)"
  ".save('{name}.keras') makes a model of it (import tf_keras as keras for Keras 2)"
)
_TFLITE = (
  "is for TensorFlow Lite; python -m tf2onnx.convert --tflite {name}{suffix} --output "
  "{name}.onnx makes a model of it"
)
_FROZEN = (
  "is a frozen graph; python -m tf2onnx.convert --graphdef {name}{suffix} --inputs "
  "IMAGES:0 --outputs MEAN:0 --output {name}.onnx makes a model of it"
)
_OF_JAX = (
  "holds weights of JAX, without the network; where its code is, jax2tf.convert and "
  "tf.saved_model.save make a model of them"
)
_FORMATS = {
  ".bin": _OF_TORCH,
  ".ckpt": _CHECKPOINT,
  ".h5": _HDF5,
  ".hdf5": _HDF5,
  ".index": _CHECKPOINT,
  ".joblib": _PICKLE,
  ".meta": _CHECKPOINT,
  ".msgpack": _OF_JAX,
  ".pb": _FROZEN,
  ".pickle": _PICKLE,
  ".pkl": _PICKLE,
  ".pt": _OF_TORCH,
  ".pth": _OF_TORCH,
  ".safetensors": _OF_TORCH,
  ".tflite": _TFLITE,
}


def describe_other_format(path: str | os.PathLike) -> str | None:
  """How to convert a file of another format to a model; None for other files."""
  path = pathlib.Path(path)
  text = _FORMATS.get(path.suffix.lower())
  if text is None or not os.path.isfile(path):
    return None
  if path.name == "saved_model.pb":
    return f"{printable(path)} is part of a model: name its folder"
  names = {"name": printable(path.stem), "suffix": path.suffix}
  return f"{printable(path)} {text.format(**names)}"


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


_LOGGER = logging.getLogger(__name__)
_MOST_MODELS = 10_000
_DEEPEST = 100  # folders within folders


def find_models(patterns: Iterable[str]) -> list[pathlib.Path]:
  """Find models by paths, folders and patterns.

  Symbolic links inside a folder are skipped, so that a foreign folder cannot choose
  which other files of the user are read. Skipped entries are logged as warnings.

  Args:
    patterns: paths of models, folders (all models below them are found), or patterns
      such as "runs/*/export".

  Returns:
    Paths of the models, each once. A path at which there is no model is returned as it
    is; `ForeignModel` then says what is wrong with it.

  Raises:
    UserError: a pattern matches nothing, or only files of other formats.

  Example:
    >>> import pathlib
    >>> from disentangle_tf.foreign.model_files import find_models
    >>> pathlib.Path("models/a").mkdir(parents=True)
    >>> for name in ("a/model.onnx", "encoder.keras", "notes.txt"):
    ...   pathlib.Path("models", name).touch()
    >>> [path.as_posix() for path in find_models(["models"])]
    ['models/a/model.onnx', 'models/encoder.keras']
  """
  found = {}
  for pattern in patterns:
    if os.path.exists(pattern):
      matches = [pathlib.Path(pattern)]
    else:
      matches = _without_links(map(pathlib.Path, sorted(glob.glob(pattern))))
    if not matches:
      raise UserError(
        f"there is no model {pattern}: name a file, a folder or a pattern"
      )
    models = [model for match in matches for model in _models_at(match)]
    if not models:
      _check_other_formats(matches[0])
    found |= dict.fromkeys(models or matches[:1])
  return list(found)


def _models_at(path: pathlib.Path) -> list[pathlib.Path]:
  if find_kind(path):
    return [path]
  found, pending = [], [(path, 1)] if os.path.isdir(path) else []
  while pending:
    folder, depth = pending.pop()
    for entry in _without_links(_entries(folder)):
      if _kind(entry):
        found.append(entry)  # files within a model are not searched
      elif os.path.isdir(entry) and depth < _DEEPEST:
        pending.append((entry, depth + 1))
      elif os.path.isdir(entry):
        _skip(entry, f"it is more than {_DEEPEST} folders deep")
    if len(found) > _MOST_MODELS:
      raise UserError(f"{path} holds more than {_MOST_MODELS} models")
  return sorted(found)


def _entries(folder: pathlib.Path) -> list[pathlib.Path]:
  try:
    return sorted(folder.iterdir())
  except OSError as error:
    _skip(folder, error.strerror)
    return []


def _kind(path: pathlib.Path) -> str | None:
  try:
    return find_kind(path)
  except ModelError:  # an unreadable folder is reported when it is entered
    return None


def _without_links(paths: Iterable[pathlib.Path]) -> list[pathlib.Path]:
  kept = []
  for path in paths:
    if os.path.islink(path):
      _skip(path, "it is a symbolic link; name it itself to include it")
    else:
      kept.append(path)
  return kept


def _skip(path: pathlib.Path, reason: str | None) -> None:
  _LOGGER.warning("%s is skipped: %s", printable(path), reason)


def _check_other_formats(path: pathlib.Path) -> None:
  """Raise a `UserError` for a file of a known other format, alone or in a folder."""
  inside = _entries(path) if os.path.isdir(path) else []
  if any(file.name == "manifest.json" for file in inside):
    return  # a damaged export, which is reported as one
  for file in (path, *inside):
    if line := describe_other_format(file):
      raise UserError(line)

"""Find models and arrays of codes at paths, in folders and by patterns."""

from __future__ import annotations

import glob
import logging
import os
import pathlib
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.other_formats import describe_other_format
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Iterable


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
_MOST_EXPLAINED = 1_000  # files of a folder without a model


def find_models(patterns: Iterable[str]) -> list[pathlib.Path]:
  """Find models by paths, folders and patterns.

  Symbolic links inside a folder are skipped, so that a foreign folder cannot choose
  which other files of the user are read. Skipped entries are logged as warnings.

  Args:
    patterns: paths of models, folders (all models below them are found), or patterns
      such as "runs/*/export".

  Returns:
    Paths of the models, each once, and folders of damaged exports.

  Raises:
    UserError: there is no model; the message says what makes one of the files there.

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
    if not models and not _is_damaged_export(matches[0]):
      raise UserError(explain_no_model(matches[0]))
    found |= dict.fromkeys(models or matches[:1])
  if len(found) == 1 and (line := describe_other_format(next(iter(found)))):
    raise UserError(line)  # its name hides its format; of several, it alone fails
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


def _is_damaged_export(path: pathlib.Path) -> bool:
  """Whether a folder has a manifest, but no model; it is reported as an export."""
  return os.path.isfile(path / "manifest.json")


def explain_no_model(path: pathlib.Path) -> str:
  """One line: why `path` is not a model, and what makes one of it."""
  if not os.path.exists(path):
    return f"{printable(path)} does not exist: name a model's folder or file"
  inside = _entries(path) if os.path.isdir(path) else []
  for candidate in (path, *inside[:_MOST_EXPLAINED]):
    if line := describe_other_format(candidate):
      return line
  if not os.path.isdir(path):
    return (
      f"{printable(path)} is not a model: name the folder of a SavedModel, or an "
      ".onnx, .keras, .npz or .npy file"
    )
  names = ", ".join(printable(entry.name) for entry in inside[:8])
  found = f", but {names}" if names else ", it is empty"
  return (
    f"{printable(path)} is not a model: it has no saved_model.pb{found} "
    "(bin/train.py writes exports to OUTPUT_DIR/export)"
  )

"""Finds the models at paths, in folders and by patterns."""

from __future__ import annotations

import glob
import logging
import os
import pathlib
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.find_kind import find_kind
from disentangle_tf.foreign.other_formats import describe_other_format
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from collections.abc import Iterable

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
    >>> from disentangle_tf.foreign.find_models import find_models
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

"""Finds the models that paths, folders and patterns name."""

import glob
import os
import pathlib

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.find_kind import find_kind
from disentangle_tf.foreign.other_formats import describe_other_format
from disentangle_tf.strangers_text import printable

_MOST_MODELS = 10_000
_DEEPEST = 100  # folders within folders


def find_models(patterns):
  """Paths of all models, each once; a folder stands for all models below it.

  Symbolic links are followed only if they are named: whoever filled a folder must not
  choose what else of the user's is read. What is passed over is told in a line.
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
      _tell_other_format(matches[0])
    found |= dict.fromkeys(models or matches[:1])
  return list(found)


def _models_at(path):
  if find_kind(path):
    return [path]
  found, pending = [], [(path, 1)] if os.path.isdir(path) else []
  while pending:
    folder, depth = pending.pop()
    for entry in _without_links(_entries(folder)):
      if _kind(entry):
        found.append(entry)  # what belongs to a model is not another one
      elif os.path.isdir(entry) and depth < _DEEPEST:
        pending.append((entry, depth + 1))
      elif os.path.isdir(entry):
        _pass_over(entry, f"it is more than {_DEEPEST} folders deep")
    if len(found) > _MOST_MODELS:
      raise UserError(f"{path} holds more than {_MOST_MODELS} models")
  return sorted(found)


def _entries(folder):
  try:
    return sorted(folder.iterdir())
  except OSError as error:
    _pass_over(folder, error.strerror)
    return []


def _kind(path):
  try:
    return find_kind(path)
  except ModelError:  # a folder that cannot be read, which is told when it is entered
    return None


def _without_links(paths):
  kept = []
  for path in paths:
    if os.path.islink(path):
      _pass_over(path, "it is a symbolic link; name it itself to have it scored")
    else:
      kept.append(path)
  return kept


def _pass_over(path, reason):
  print(f"{printable(path)} is passed over: {reason}")


def _tell_other_format(path):
  """Stops for what is known not to be a model, alone or in a folder."""
  inside = _entries(path) if os.path.isdir(path) else []
  if any(file.name == "manifest.json" for file in inside):
    return  # a damaged export, which is told as such
  for file in (path, *inside):
    if line := describe_other_format(file):
      raise UserError(line)

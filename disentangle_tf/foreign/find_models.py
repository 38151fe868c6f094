"""The models that paths, folders and patterns stand for."""

import glob
import os
import pathlib

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.model_files import find_kind

_MOST_MODELS = 10_000


def find_models(patterns):
  """Paths of all models, each once; a folder stands for all models below it."""
  found = {}
  for pattern in patterns:
    matches = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern))
    if not matches:
      raise UserError(
        f"there is no model {pattern}: name a file, a folder or a pattern"
      )
    models = [model for match in matches for model in _models_at(match)]
    found |= dict.fromkeys(models or map(pathlib.Path, matches[:1]))
  return list(found)


def _models_at(path):
  path = pathlib.Path(path)
  if find_kind(path):
    return [path]
  found = []
  for folder, folders, files in os.walk(path):
    folder = pathlib.Path(folder)
    if find_kind(folder):
      found.append(folder)
      folders.clear()  # what belongs to a model is not another one
      continue
    folders.sort()
    found += [folder / name for name in sorted(files) if find_kind(folder / name)]
    if len(found) > _MOST_MODELS:
      raise UserError(f"{path} holds more than {_MOST_MODELS} models")
  return found

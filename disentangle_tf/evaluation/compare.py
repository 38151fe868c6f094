"""Scoring several models, one after the other."""

import os
import re

from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.comparison import Comparison
from disentangle_tf.export import manifest as manifests
from disentangle_tf.output_files import prepare_output_dir


def compare(models, evaluate, *, output_dir, overwrite=False):
  """Scores each model in a folder of its own, and writes one table of all.

  A model that cannot be scored costs a line; the others are scored all the same.

  Args:
    models: paths of at least two models.
    evaluate: `evaluate`, with all but `model` and `output_dir` bound.
    output_dir: folder for the results; comparison.txt, .csv, .md and .html go there.
    overwrite: move an existing `output_dir` aside first.

  Returns:
    The `Comparison`.
  """
  output_dir = prepare_output_dir(output_dir, overwrite=overwrite)
  results, folders = {}, _folder_names(models)
  for number, (path, name) in enumerate(folders.items(), start=1):
    print(f"[{number} of {len(folders)}] ", end="")
    try:
      results[path] = evaluate(model=path, output_dir=output_dir / name)
    except UserError as error:
      results[path] = str(error)
      print(f"{path}: {results[path]}")
  scored = [path for path, result in results.items() if not isinstance(result, str)]
  comparison = Comparison(results, {path: _manifest(path) for path in scored})
  comparison.write(output_dir, folders)
  return comparison


def _manifest(path):
  """The manifest of an export that was scored, None for other models."""
  try:
    return manifests.read_manifest(path)
  except UserError:
    return None


def _folder_names(models):
  """{path: a short name of its own}, made of the parts in which paths differ."""
  split = {path: os.path.abspath(path).split(os.sep) for path in models}
  shared = len(os.path.commonprefix(list(split.values())))
  names = {}
  for path, parts in split.items():
    name = re.sub(r"[^\w.=-]+", "_", "-".join(parts[shared:])) or "model"
    number = sum(other == name for other in names.values())
    names[path] = f"{name}_{number + 1}" if number else name
  return names

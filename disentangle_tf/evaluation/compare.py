"""Scoring several models, one after the other."""

import gc
import hashlib
import os
import re
import traceback

from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.comparison import Comparison
from disentangle_tf.evaluation.kept_scores import read_scores
from disentangle_tf.foreign.confine.warm_children import warm_children
from disentangle_tf.output_files import prepare_output_dir, write_text
from disentangle_tf.strangers_text import printable

_LONGEST_NAME = 100  # of a folder
_TRACEBACK = "traceback.txt"
_ASIDE = re.compile(r".*\.\d{8}-\d{6}-\d{6}")  # as `move_aside` calls them


def compare(models, evaluate, *, output_dir, overwrite=False, resume=False):
  """Scores each model in a folder of its own, and writes one table of all.

  A model that cannot be scored, for whatever reason, costs a line; the others are
  scored all the same. The table is written anew after each of them.

  Args:
    models: paths of at least two models.
    evaluate: `evaluate`, with all bound but `model`, `output_dir`, `overwrite` and
      `resume`.
    output_dir: folder for the results; comparison.txt, .csv, .md and .html go there.
    overwrite: move an existing `output_dir` aside first.
    resume: go on with a table: scores that are there already and would be the same are
      kept, other folders of models moved aside.

  Returns:
    The `Comparison`.
  """
  output_dir = prepare_output_dir(output_dir, resume=resume, overwrite=overwrite)
  folders = _folder_names(models, _earlier_folders(output_dir) if resume else {})
  results = {}
  with warm_children():
    for number, (path, name) in enumerate(folders.items(), start=1):
      print(f"[{number} of {len(folders)}] ", end="", flush=True)
      results[path] = _scored(evaluate, path, output_dir / name, resume)
      comparison = Comparison(results, pending=list(folders)[number:])
      comparison.write(output_dir, folders)
  return comparison


def _scored(evaluate, path, folder, resume):
  """The content of a model's scores.json, or why it has none."""
  try:
    result = evaluate(model=path, output_dir=folder, overwrite=resume, resume=resume)
    gc.collect()  # graphs and figures refer to themselves
  except Exception as error:  # one model must not take the table from the others
    result = _reason(error, folder)
    print(f"{printable(path)}: {result}")
  return result


def _reason(error, folder):
  """Why a model has no scores, in a line; a fault of ours leaves its traceback."""
  if isinstance(error, UserError):
    return printable(error, longest=2_000)
  words = printable(f"{type(error).__name__}: {error}")
  if isinstance(error, OSError | MemoryError):
    return words
  folder.mkdir(exist_ok=True)
  write_text(folder / _TRACEBACK, "".join(traceback.format_exception(error)))
  return f"a fault of this program, {words}; see {folder.name}/{_TRACEBACK}"


def _earlier_folders(output_dir):
  """{path of a model: its folder's name} that an earlier command has scored."""
  names = [f.name for f in output_dir.iterdir() if not _ASIDE.fullmatch(f.name)]
  found = {name: read_scores(output_dir / name) for name in names}
  return {scores["model"]["path"]: name for name, scores in found.items() if scores}


def _folder_names(models, earlier):
  """{path: a short name of its own}, made of the parts in which paths differ."""
  split = {path: os.path.abspath(path).split(os.sep) for path in models}
  shared = len(os.path.commonprefix(list(split.values())))
  names, taken = {}, set(earlier.values())
  for path, parts in split.items():
    name = earlier.get(str(path)) or _free_name("-".join(parts[shared:]), taken)
    names[path] = name
    taken.add(name)
  return names


def _free_name(text, taken):
  """A name that any file system takes, and nobody has yet."""
  name = re.sub(r"[^a-zA-Z0-9_.=-]+", "_", text).lstrip(".-") or "model"
  if len(name) > _LONGEST_NAME or name.startswith("comparison."):
    digest = hashlib.sha256(os.fsencode(text)).hexdigest()[:8]
    name = f"{name[: _LONGEST_NAME - 9]}-{digest}"
  numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
  return next(free for free in (name, *numbered) if free not in taken)

"""Score several models one after another, and compare them in a table."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import pathlib
import re
import traceback
from collections.abc import Callable, Sequence

from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.comparison import Comparison
from disentangle_tf.evaluation.kept_scores import read_scores
from disentangle_tf.foreign.sandbox.warm_children import warm_children
from disentangle_tf.output_files import prepare_output_dir, write_text
from disentangle_tf.text import printable

_log = logging.getLogger(__name__)
_LONGEST_NAME = 100  # of a folder
_TRACEBACK = "traceback.txt"
_ASIDE = re.compile(r".*\.\d{8}-\d{6}-\d{6}")  # names of `move_aside`


def compare(
  models: Sequence[str | os.PathLike],
  evaluate: Callable[..., dict],
  *,
  output_dir: str | os.PathLike,
  overwrite: bool = False,
  resume: bool = False,
) -> Comparison:
  """Score each model in its own folder, and write one table of all models.

  A model that cannot be scored is reported, and the others are still scored. The table
  is written again after each model.

  Args:
    models: paths of at least two models.
    evaluate: the function `evaluate` with all arguments bound except `model`,
      `output_dir`, `overwrite` and `resume`.
    output_dir: folder for the results and for comparison.txt, .csv, .md and .html.
    overwrite: move an existing `output_dir` aside first.
    resume: keep scores that would be computed again, and move other folders of models
      aside.

  Returns:
    The `Comparison`.

  Example:
    >>> import functools
    >>> import numpy as np
    >>> from disentangle_tf import evaluation, metrics, scoring
    >>> factors = np.arange(6)[:, None] % 3
    >>> np.savez("good.npz", codes=factors, factors=factors)
    >>> np.savez("bad.npz", codes=0 * factors, factors=factors)
    >>> table = evaluation.compare(
    ...   ["good.npz", "bad.npz"],
    ...   functools.partial(
    ...     evaluation.evaluate,
    ...     measurements=[scoring.Measurement(metrics.mig, num_points="all")],
    ...   ),
    ...   output_dir="table",
    ... )
    >>> {name: round(row["mig"][0], 3) for name, row in table.rows.items()}
    {'good.npz': 1.0, 'bad.npz': 0.0}
  """
  output_dir = prepare_output_dir(output_dir, resume=resume, overwrite=overwrite)
  folders = _folder_names(models, _earlier_folders(output_dir) if resume else {})
  results = {}
  with warm_children():
    for number, (path, name) in enumerate(folders.items(), start=1):
      _log.info("[%d of %d] %s", number, len(folders), printable(path))
      results[path] = _scored(evaluate, path, output_dir / name, resume)
      comparison = Comparison(results, pending=list(folders)[number:])
      comparison.write(output_dir, folders)
  return comparison


def _scored(
  evaluate: Callable[..., dict],
  path: str | os.PathLike,
  folder: pathlib.Path,
  resume: bool,
) -> dict | str:
  """The content of a model's scores.json, or why it has none."""
  try:
    result = evaluate(model=path, output_dir=folder, overwrite=resume, resume=resume)
    gc.collect()  # graphs and figures have reference cycles
  except Exception as error:  # the other models are still scored
    result = _reason(error, folder)
    _log.info("%s: %s", printable(path), result)
  return result


def _reason(error: Exception, folder: pathlib.Path) -> str:
  """Why a model has no scores, in one line; for a bug, the traceback is written."""
  if isinstance(error, UserError):
    return printable(error, longest=2_000)
  words = printable(f"{type(error).__name__}: {error}")
  if isinstance(error, OSError | MemoryError):
    return words
  folder.mkdir(exist_ok=True)
  write_text(folder / _TRACEBACK, "".join(traceback.format_exception(error)))
  return f"a bug of this program, {words}; see {folder.name}/{_TRACEBACK}"


def _earlier_folders(output_dir: pathlib.Path) -> dict[str, str]:
  """{path of a model: its folder's name} of models with scores."""
  names = [f.name for f in output_dir.iterdir() if not _ASIDE.fullmatch(f.name)]
  found = {name: read_scores(output_dir / name) for name in names}
  return {scores["model"]["path"]: name for name, scores in found.items() if scores}


def _folder_names(
  models: Sequence[str | os.PathLike], earlier: dict[str, str]
) -> dict[str, str]:
  """{path: unique short name}, made of the parts in which paths differ."""
  split = {path: os.path.abspath(path).split(os.sep) for path in models}
  shared = len(os.path.commonprefix(list(split.values())))
  names, taken = {}, set(earlier.values())
  for path, parts in split.items():
    name = earlier.get(str(path)) or _free_name("-".join(parts[shared:]), taken)
    names[path] = name
    taken.add(name)
  return names


def _free_name(text: str, taken: set[str]) -> str:
  """A file name that is valid everywhere and not in use."""
  name = re.sub(r"[^a-zA-Z0-9_.=-]+", "_", text).lstrip(".-") or "model"
  if len(name) > _LONGEST_NAME or name.startswith("comparison."):
    digest = hashlib.sha256(os.fsencode(text)).hexdigest()[:8]
    name = f"{name[: _LONGEST_NAME - 9]}-{digest}"
  numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
  return next(free for free in (name, *numbered) if free not in taken)

"""The gin files of this project: their places, settings and text."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterable, Iterator

import disentangle_tf
from disentangle_tf.errors import UserError, suggest

# The files of the demo: small, and without data files.
_BEST_EXAMPLES = (
  "gin/data/xysquares_small.gin",
  "gin/losses/mse.gin",
  "gin/networks/mlp.gin",
  "gin/models/beta_vae.gin",
  "gin/runs/demo_mse.gin",
)


def gin_home() -> pathlib.Path:
  """The folder that holds the shipped gin/: the checkout, or the installed package."""
  package = pathlib.Path(disentangle_tf.__file__).parent
  return package if (package / "gin").is_dir() else package.parent


def shipped(folder: str) -> list[str]:
  """Names of the shipped files gin/`folder`/*.gin, without their suffix."""
  return sorted(path.stem for path in (gin_home() / "gin" / folder).glob("*.gin"))


def all_shipped() -> list[str]:
  """Paths of all shipped files, as users write them: gin/..."""
  found = (gin_home() / "gin").rglob("*.gin")
  return sorted(path.relative_to(gin_home()).as_posix() for path in found)


def find_gin_file(file: str | os.PathLike[str]) -> str:
  """The path of a gin file: the user's, or a shipped one called gin/..."""
  for candidate in (pathlib.Path(file), gin_home() / file):
    if candidate.is_file():
      return str(candidate)
  if pathlib.Path(file).is_dir():
    raise UserError(f"{file} is a folder: name a gin file")
  raise UserError(f"there is no gin file {file}{suggest(str(file), all_shipped())}")


def files_that_set(name: str, value: str | None = None) -> list[str]:
  """Shipped files with a line `name` = ..., the best examples first.

  Args:
    name: a macro, or a setting.
    value: text of its value; by default any but %gin.REQUIRED, which only demands that
      another file sets it.
  """
  wanted = r"(?!%gin\.REQUIRED)" if value is None else re.escape(value)
  line = re.compile(rf"^{re.escape(name)} = {wanted}", re.MULTILINE)
  ordered = dict.fromkeys((*_BEST_EXAMPLES, *all_shipped()))
  return [file for file in ordered if line.search((gin_home() / file).read_text())]


def gin_text(files: Iterable[str | os.PathLike[str]]) -> str:
  """All lines of gin files but comments, in the order in which gin reads them."""
  return "\n".join(line for file in files for line in _lines(str(file), ()))


def _lines(file: str, around: tuple[str, ...]) -> Iterator[str]:
  if file in around:
    raise UserError(f"{file} includes itself")
  path = pathlib.Path(find_gin_file(file))
  for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
    included = re.match(r"""\s*include\s+["'](.+?)["']""", line)
    if included:
      yield from _lines(included.group(1), (*around, file))
    elif line.strip() and not line.lstrip().startswith("#"):
      yield line.rstrip()

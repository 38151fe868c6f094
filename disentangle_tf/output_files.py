"""Writes output files and folders completely or not at all, and never over others."""

import contextlib
import datetime
import hashlib
import json
import logging
import os
import pathlib
import shutil
import uuid
from collections.abc import Collection, Iterator

from disentangle_tf.errors import UserError

_LOGGER = logging.getLogger(__name__)


def prepare_output_dir(
  output_dir: str | os.PathLike, *, resume: bool | None = None, overwrite: bool = False
) -> pathlib.Path:
  """Make `output_dir`; refuse a folder that holds the files of an earlier run.

  Args:
    output_dir: the folder.
    resume: whether to continue the work in the folder; None if the caller cannot.
    overwrite: move an older folder aside; nothing is ever deleted.
  """
  path = pathlib.Path(output_dir)
  check_output_dir(path, resume=resume, overwrite=overwrite)
  if path.is_dir() and any(path.iterdir()) and not resume:
    move_aside(path)
  try:
    path.mkdir(parents=True, exist_ok=True)
  except OSError as error:
    raise UserError(
      f"cannot make output_dir {path} ({error.strerror}): name another folder"
    ) from error
  return path


@contextlib.contextmanager
def whole_output_dir(
  output_dir: str | os.PathLike, *, overwrite: bool = False
) -> Iterator[pathlib.Path]:
  """Yield a folder whose files are moved to `output_dir` if the block succeeds.

  It lies inside `output_dir`, so that other processes see that the folder is in use,
  and so that `output_dir` may be a mount point. If the block fails, nothing has
  changed.

  Args:
    output_dir: the folder.
    overwrite: as for `prepare_output_dir`.
  """
  path = pathlib.Path(output_dir)
  was_there = path.is_dir() and not any(path.iterdir())
  prepare_output_dir(path, overwrite=overwrite)
  unfinished = path / f".unfinished.{uuid.uuid4().hex}"
  unfinished.mkdir()
  try:
    yield unfinished
    for entry in sorted(unfinished.iterdir()):
      entry.rename(path / entry.name)
  finally:
    shutil.rmtree(unfinished, ignore_errors=True)
    if not was_there:
      with contextlib.suppress(OSError):  # not empty: the block succeeded
        path.rmdir()


def check_output_dir(
  output_dir: str | os.PathLike, *, resume: bool | None = None, overwrite: bool = False
) -> None:
  """Raise the errors of `prepare_output_dir`, without changing anything."""
  if resume and overwrite:
    raise UserError("resume and overwrite exclude each other: choose one")
  path = pathlib.Path(output_dir)
  if path.exists() and not path.is_dir():
    raise UserError(f"output_dir {path} is a file: name a folder")
  if path.is_dir() and any(path.iterdir()) and not (resume or overwrite):
    go_on = "" if resume is None else "resume=True to continue it, "
    raise UserError(
      f"output_dir {path} exists and is not empty: add {go_on}overwrite=True to move "
      "it aside, or name another folder"
    )


def move_aside(path: str | os.PathLike) -> pathlib.Path:
  """Rename `path` to a name with the current time, log it, and return the new path."""
  path = pathlib.Path(path)
  aside = path.with_name(f"{path.name}.{datetime.datetime.now():%Y%m%d-%H%M%S-%f}")
  path.rename(aside)
  _LOGGER.info("moved the old %s to %s", path, aside)
  return aside


@contextlib.contextmanager
def whole_file(path: str | os.PathLike) -> Iterator[pathlib.Path]:
  """Yield a temporary path that becomes `path` only if the block succeeds."""
  path = pathlib.Path(path)
  temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
  try:
    yield temporary
    os.replace(temporary, path)
  finally:
    temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_directory(
  path: str | os.PathLike, *, overwrite: bool = False
) -> Iterator[pathlib.Path]:
  """Yield a temporary folder that becomes `path` only if the block succeeds.

  A folder that is not empty is an error; with `overwrite` it is moved aside.
  """
  path = pathlib.Path(path)
  taken = os.path.lexists(path) and not (path.is_dir() and not any(path.iterdir()))
  if taken and not overwrite:
    raise UserError(
      f"{path} exists and is not an empty folder: name another, or add overwrite=True "
      "to move it aside"
    )
  temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
  temporary.mkdir(parents=True)
  try:
    yield temporary
    if taken:
      move_aside(path)
    temporary.rename(path)
  finally:
    shutil.rmtree(temporary, ignore_errors=True)


def write_text(path: str | os.PathLike, text: str) -> None:
  """Write `text` to `path`, completely or not at all."""
  with whole_file(path) as temporary:
    temporary.write_text(text, encoding="utf-8")


def write_bytes(path: str | os.PathLike, content: bytes) -> None:
  """Write `content` to `path`, completely or not at all."""
  with whole_file(path) as temporary:
    temporary.write_bytes(content)


def write_json(path: str | os.PathLike, content: object) -> None:
  """Write `content` as indented JSON, completely or not at all; NaN is an error."""
  write_text(path, json.dumps(content, indent=2, allow_nan=False) + "\n")


def sha256_tree(
  directory: str | os.PathLike, *, skip: Collection[str] = ()
) -> dict[str, str]:
  """Hash every file below `directory`: {relative path: sha256}, sorted."""
  root = pathlib.Path(directory)
  files = sorted(path for path in root.rglob("*") if path.is_file())
  names = [(path, path.relative_to(root).as_posix()) for path in files]
  return {name: sha256_file(path) for path, name in names if name not in skip}


def sha256_listing(hashes: object) -> str:
  """Hash JSON content, such as the result of `sha256_tree`, to one sha256."""
  return hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()


def sha256_file(path: str | os.PathLike) -> str:
  """Hash one file: hexadecimal sha256."""
  with open(path, "rb") as file:
    return hashlib.file_digest(file, "sha256").hexdigest()

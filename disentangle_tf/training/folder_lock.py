"""The lock file that reserves a run's folder for one process at a time."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
from collections.abc import Iterator

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import check_output_dir, prepare_output_dir
from disentangle_tf.process_identity import has_ended, is_of_this_machine, this_process

LOCK = "run.lock"


@contextlib.contextmanager
def folder_lock(folder: str | os.PathLike) -> Iterator[None]:
  """Keep other processes out of `folder` inside the block.

  The file `run.lock` there names the machine and the process. The kernel frees the lock
  when the process ends, so the lock of a dead process is taken over, also from another
  container. The lock of another machine is respected, because this machine cannot know
  whether that process lives. The boot id identifies a machine, because containers share
  host names.

  Raises:
    UserError: if another process holds the folder.
  """
  folder = pathlib.Path(folder)
  with contextlib.ExitStack() as stack:
    # Through the folder itself, which stays the same if it is renamed meanwhile.
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    stack.callback(os.close, directory)
    file = _acquire(folder, directory)
    stack.callback(os.close, file)
    stack.callback(_remove, file, directory)
    yield


@contextlib.contextmanager
def claimed_folder(
  folder: pathlib.Path, *, resume: bool, overwrite: bool
) -> Iterator[None]:
  """Prepare `folder` for a run and keep other processes out of it inside the block.

  Args:
    folder: the run's folder.
    resume, overwrite: as for `prepare_output_dir`. A folder in which another process is
      at work is never moved aside.
  """
  check_output_dir(folder, resume=resume, overwrite=overwrite)
  in_the_way = overwrite and folder.is_dir() and any(folder.iterdir())
  with folder_lock(folder) if in_the_way else contextlib.nullcontext():
    prepare_output_dir(folder, resume=resume, overwrite=overwrite)
  with folder_lock(folder):
    yield


def remove_lock_of_another_machine(folder: str | os.PathLike) -> None:
  """Remove the lock of a process on another machine that is known to have ended.

  Args:
    folder: the run's folder. A lock of this machine stays: the kernel frees it.
  """
  path = pathlib.Path(folder) / LOCK
  with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
    holder = _read(file.fileno())
    if holder and not is_of_this_machine(holder):
      path.unlink(missing_ok=True)


def _acquire(folder: pathlib.Path, directory: int) -> int:
  """Open the lock file and write this process into it; fail if another holds it."""
  while True:
    file = os.open(LOCK, os.O_RDWR | os.O_CREAT, 0o644, dir_fd=directory)
    try:
      _check_free(folder, file)
      if _is_in(file, directory):  # otherwise its owner has just removed it
        os.ftruncate(file, 0)
        os.pwrite(file, f"{json.dumps(this_process())}\n".encode(), 0)
        return file
    except BaseException:
      os.close(file)
      raise
    os.close(file)


def _check_free(folder: pathlib.Path, file: int) -> None:
  holder = _read(file)
  there = f"{folder} is in use by process {holder.get('process')}"
  there += f" on {holder.get('host')}"
  unknown = f"if that has ended, remove {folder / LOCK}, or name another folder"
  if holder and not is_of_this_machine(holder):
    raise UserError(f"{there}: {unknown}")
  try:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
  except BlockingIOError as error:
    wait = "wait until it has ended, or name another folder"
    raise UserError(f"{there}: {wait}") from error
  except OSError as error:  # a file system without locks
    if holder and not has_ended(holder):
      raise UserError(f"{there}: {unknown}") from error


def _read(file: int) -> dict:
  """The content of the lock; {} if its process ended before it was written."""
  try:
    content = json.loads(os.pread(file, 4096, 0))
  except ValueError:
    return {}
  return content if isinstance(content, dict) else {}


def _is_in(file: int, directory: int) -> bool:
  """Whether the lock file in the folder is the open one."""
  try:
    there = os.stat(LOCK, dir_fd=directory)
  except FileNotFoundError:
    return False
  return os.path.samestat(there, os.fstat(file))


def _remove(file: int, directory: int) -> None:
  if _is_in(file, directory):
    os.unlink(LOCK, dir_fd=directory)

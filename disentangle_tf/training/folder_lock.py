"""The lock file that leaves a run's folder to one process at a time."""

import contextlib
import fcntl
import json
import os
import pathlib

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import check_output_dir, prepare_output_dir
from disentangle_tf.process_identity import (
  has_ended,
  is_of_this_machine,
  this_process,
)

LOCK = "run.lock"


@contextlib.contextmanager
def folder_lock(folder):
  """Keeps other processes out of `folder` inside the block.

  The file `run.lock` there names the machine and the process. The kernel frees it when
  the process ends, however that happens, so what a dead one left behind is taken over,
  in whatever container it ran. The lock of another machine is not, because nothing is
  known about it here. The boot id identifies a machine; containers share host names.
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
def claimed_folder(folder, *, resume, overwrite):
  """Prepares `folder` for a run and keeps other processes out of it inside the block.

  Args:
    resume, overwrite: as of `prepare_output_dir`. What another process is at work on is
      not moved aside either.
  """
  check_output_dir(folder, resume=resume, overwrite=overwrite)
  in_the_way = overwrite and folder.is_dir() and any(folder.iterdir())
  with folder_lock(folder) if in_the_way else contextlib.nullcontext():
    prepare_output_dir(folder, resume=resume, overwrite=overwrite)
  with folder_lock(folder):
    yield


def remove_lock_of_another_machine(folder):
  """Removes what a process left that the caller knows to be gone.

  Args:
    folder: the run's folder. A lock of this machine stays: the kernel knows about that.
  """
  path = pathlib.Path(folder) / LOCK
  with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
    holder = _read(file.fileno())
    if holder and not is_of_this_machine(holder):
      path.unlink(missing_ok=True)


def _acquire(folder, directory):
  """The open lock file, with this process in it; a `UserError` if it is another's."""
  while True:
    file = os.open(LOCK, os.O_RDWR | os.O_CREAT, 0o644, dir_fd=directory)
    try:
      _check_free(folder, file)
      if _is_in(file, directory):  # else its owner removed it just now
        os.ftruncate(file, 0)
        os.pwrite(file, f"{json.dumps(this_process())}\n".encode(), 0)
        return file
    except BaseException:
      os.close(file)
      raise
    os.close(file)


def _check_free(folder, file):
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


def _read(file):
  """What the lock says; nothing, if whoever made it came no further."""
  try:
    content = json.loads(os.pread(file, 4096, 0))
  except ValueError:
    return {}
  return content if isinstance(content, dict) else {}


def _is_in(file, directory):
  """Whether the lock file in the folder is the opened one."""
  try:
    there = os.stat(LOCK, dir_fd=directory)
  except FileNotFoundError:
    return False
  return os.path.samestat(there, os.fstat(file))


def _remove(file, directory):
  if _is_in(file, directory):
    os.unlink(LOCK, dir_fd=directory)

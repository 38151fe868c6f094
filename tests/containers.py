"""Processes in PID namespaces of their own that share this machine's host name."""

import functools
import pathlib
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).parents[1]
_UNSHARE = ["unshare", "--pid", "--fork", "--mount-proc", "--uts", "--kill-child"]


def start_container(code, *arguments, boot_id=None):
  """A Popen of Python `code`, as process 1 of its own namespace; skips without one.

  Args:
    code: what it runs, with `arguments` in sys.argv.
    boot_id: a file with the boot id that it sees, as if on another machine.
  """
  if not _works():
    pytest.skip("unshare makes no PID namespaces here")
  words = [sys.executable, "-c", code, *map(str, arguments)]
  if boot_id is not None:
    mount = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"'
    words = ["sh", "-c", mount, str(boot_id), *words]
  return subprocess.Popen(
    [*_UNSHARE, *words],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
    cwd=ROOT,
  )


def kill_container(container):
  """Kills it, and waits for its end before its stdin closes: it would end in order."""
  tasks = pathlib.Path(f"/proc/{container.pid}/task/{container.pid}/children")
  children = [pathlib.Path("/proc", number) for number in tasks.read_text().split()]
  container.kill()
  deadline = time.monotonic() + 30
  while any(child.exists() for child in children) and time.monotonic() < deadline:
    time.sleep(0.01)
  container.communicate()


@functools.cache
def _works():
  try:
    return subprocess.run([*_UNSHARE, "true"], capture_output=True).returncode == 0
  except FileNotFoundError:
    return False

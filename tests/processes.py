"""Numbers of the processes that this process, or another one, started."""

import pathlib


def children():
  """Numbers of the processes that this process started."""
  tasks = pathlib.Path("/proc/self/task").glob("*/children")
  return {int(word) for task in tasks for word in task.read_text().split()}


def descendants(number):
  """Numbers of a process' children, and theirs."""
  found = []
  for task in pathlib.Path(f"/proc/{number}/task").glob("*/children"):
    for word in task.read_text().split():
      found += [int(word), *descendants(int(word))]
  return found

"""Resident memory of this process."""

import os
import pathlib


def resident_memory() -> int:
  """Bytes of this process that are in memory; 0 where /proc does not exist."""
  try:
    pages = pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
  except FileNotFoundError:
    return 0
  return int(pages) * os.sysconf("SC_PAGE_SIZE")

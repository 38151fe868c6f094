"""Progress bars: updated often on a terminal, rarely in a log."""

import sys
from typing import Any

import tqdm

_SECONDS_TO_BAR = 2
_SECONDS_IN_A_LOG = 10  # between two updates where there is no terminal


def progress_bar(
  total: int | None, description: str | None = None, **options: Any
) -> tqdm.tqdm:
  """Make a tqdm bar that appears if the work takes more than two seconds."""
  settings = {
    "total": total,
    "desc": description,
    "delay": _SECONDS_TO_BAR,
    "mininterval": 0.2 if sys.stderr.isatty() else _SECONDS_IN_A_LOG,
  }
  return tqdm.tqdm(**(settings | options))

"""Names of a study's folders and files."""

from __future__ import annotations

import re
from collections.abc import Mapping


def folder_name(label: str, settings: Mapping[str, object]) -> str:
  """A name for the folder of a run at some settings, safe in any file system."""
  words = [label, *(f"{name.split('.')[-1]} {v}" for name, v in settings.items())]
  return "_".join(re.sub(r"[^\w.-]+", "_", word).strip("_.") for word in words)

"""Names of a study's folders and files."""

import re


def folder_name(label, settings):
  """A name for the folder of a run at some settings, safe in any file system."""
  words = [label, *(f"{name.split('.')[-1]} {v}" for name, v in settings.items())]
  return "_".join(re.sub(r"[^\w.-]+", "_", word).strip("_.") for word in words)

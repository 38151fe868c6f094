"""The folder that data sets are kept in: DISENTANGLE_TF_DATA or the user's cache."""

import os
import pathlib


def data_folder() -> pathlib.Path:
  """DISENTANGLE_TF_DATA if that is set, or else a folder in the user's cache."""
  chosen = os.environ.get("DISENTANGLE_TF_DATA")
  return pathlib.Path(chosen or "~/.cache/disentangle_tf").expanduser()

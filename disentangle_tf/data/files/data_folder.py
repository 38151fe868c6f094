"""The folder of the data sets."""

import os
import pathlib


def data_folder() -> pathlib.Path:
  """Return DISENTANGLE_TF_DATA if it is set, else ~/.cache/disentangle_tf."""
  chosen = os.environ.get("DISENTANGLE_TF_DATA")
  return pathlib.Path(chosen or "~/.cache/disentangle_tf").expanduser()

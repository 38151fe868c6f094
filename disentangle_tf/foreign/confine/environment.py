"""The environment variables of a sandbox."""

import os
import pathlib

import disentangle_tf
from disentangle_tf.half_precision import VARIABLE


def environment() -> dict[str, str]:
  """Environment variables of a sandbox; of the user's, only those of libraries."""
  root = pathlib.Path(disentangle_tf.__file__).parent.parent
  named = ("LD_LIBRARY_PATH", VARIABLE)  # the second keeps half precision from crashing
  kept = {name: os.environ[name] for name in named if name in os.environ}
  return {
    "PATH": "/usr/bin:/bin",
    "HOME": os.devnull,  # no folder can be made there
    "KERAS_HOME": os.devnull,  # else /tmp/.keras, where any user may leave a file
    "LANG": "C.UTF-8",
    "PYTHONPATH": str(root),
    "PYTHONDONTWRITEBYTECODE": "1",
    "KERAS_BACKEND": "tensorflow",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    **kept,
  }

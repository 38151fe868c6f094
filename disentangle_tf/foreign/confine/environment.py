"""The environment variables of confined processes."""

import os
import pathlib

import disentangle_tf
from disentangle_tf.half_precision import VARIABLE


def environment():
  """Nothing of the user's but where libraries are, and which instructions they use."""
  root = pathlib.Path(disentangle_tf.__file__).parent.parent
  named = ("LD_LIBRARY_PATH", VARIABLE)  # the latter keeps half precision from dying
  kept = {name: os.environ[name] for name in named if name in os.environ}
  return {
    "PATH": "/usr/bin:/bin",
    "HOME": os.devnull,  # where nobody can make a folder
    "KERAS_HOME": os.devnull,  # else /tmp/.keras, where anybody may leave a file
    "LANG": "C.UTF-8",
    "PYTHONPATH": str(root),
    "PYTHONDONTWRITEBYTECODE": "1",
    "KERAS_BACKEND": "tensorflow",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    **kept,
  }

"""Importing TensorFlow without its start-up messages."""

import contextlib
import os
import sys
import tempfile

from disentangle_tf.commands.gin_text import gin_text
from disentangle_tf.errors import UserError
from disentangle_tf.half_precision import HALF_PRECISIONS, cap_instructions


def start_tensorflow(files=(), bindings=()):
  """Imports TensorFlow and finds its devices; they then take memory as needed.

  Its C++ libraries write to the error stream before any log level is in force, so the
  stream itself is set aside meanwhile; should the start fail, all of it is shown.

  Args:
    files, bindings: gin files and bindings of the trainings of this process. If they
      name a half precision, the CPU's instructions for it are tried first.
  """
  cap_instructions(_named_precisions(files, bindings))
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
  with _errors_set_aside():
    import tensorflow_probability  # noqa: F401  (imports TensorFlow, and tf-keras)

    from disentangle_tf.training import devices

    devices.allow_memory_growth()


def _named_precisions(files, bindings):
  text = "\n".join(bindings)
  for file in files:
    with contextlib.suppress(UserError, OSError):  # told when the file is parsed
      text += gin_text([file])
  return [precision for precision in HALF_PRECISIONS if precision in text]


@contextlib.contextmanager
def _errors_set_aside():
  sys.stderr.flush()
  stream = os.dup(2)
  with tempfile.TemporaryFile() as kept:
    os.dup2(kept.fileno(), 2)
    try:
      yield
    except Exception:
      kept.seek(0)
      os.write(stream, kept.read())
      raise
    finally:
      os.dup2(stream, 2)
      os.close(stream)

"""Importing TensorFlow without its start-up messages."""

import contextlib
import os
import sys
import tempfile


def start_tensorflow():
  """Imports TensorFlow and finds its devices; they then take memory as needed.

  Its C++ libraries write to the error stream before any log level is in force, so the
  stream itself is set aside meanwhile; should the start fail, all of it is shown.
  """
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
  with _errors_set_aside():
    import tensorflow_probability  # noqa: F401  (imports TensorFlow, and tf-keras)

    from disentangle_tf.training import devices

    devices.allow_memory_growth()


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

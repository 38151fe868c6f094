"""Ctrl-C and SIGTERM while workers that train together start."""

import contextlib
import json
import os
import signal
import sys
import threading

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 120.0  # seconds


@contextlib.contextmanager
def held_signals():
  """Holds signals back until `Interruption` hears them, if there are several workers.

  A worker that ended before all have connected would leave the others waiting in
  TensorFlow. So it connects first, and then all stop together. While it waits itself,
  Python runs no handler; it exits two minutes after the signal, if it still waits.
  """
  if not _has_other_workers():
    yield
    return
  signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
  ended = threading.Event()
  threading.Thread(target=_watch, args=(ended,), daemon=True).start()
  try:
    yield
  finally:
    ended.set()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _watch(ended):
  """Exits if a signal is held for too long."""
  held = 0.0
  while not ended.wait(1.0):
    held = held + 1.0 if signal.sigpending() & set(_SIGNALS) else 0.0
    if held >= _PATIENCE:
      print("train: stopped while it waited for the other workers", file=sys.stderr)
      sys.stderr.flush()
      os._exit(130)


def _has_other_workers():
  try:
    cluster = json.loads(os.environ.get("TF_CONFIG", "{}"))["cluster"]
    return sum(len(cluster.get(kind, ())) for kind in ("chief", "worker")) > 1
  except (ValueError, KeyError, TypeError, AttributeError):
    return False

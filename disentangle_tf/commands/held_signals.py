"""Ctrl-C and SIGTERM during the start of workers that train one model together."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 120.0  # seconds


@contextlib.contextmanager
def held_signals() -> Iterator[None]:
  """With several workers, block signals until `Interruption` handles them.

  If a worker ended before all have connected, the others would wait in TensorFlow for
  ever. So each worker connects first, and then all stop together. While a worker waits
  for the others, Python runs no signal handler. If it still waits two minutes after the
  signal, it exits.
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


def _watch(ended: threading.Event) -> None:
  """Exit if a signal is blocked for too long."""
  held = 0.0
  while not ended.wait(1.0):
    held = held + 1.0 if signal.sigpending() & set(_SIGNALS) else 0.0
    if held >= _PATIENCE:
      print("train: stopped while waiting for the other workers", file=sys.stderr)
      sys.stderr.flush()
      os._exit(130)


def _has_other_workers() -> bool:
  try:
    cluster = json.loads(os.environ.get("TF_CONFIG", "{}"))["cluster"]
    return sum(len(cluster.get(kind, ())) for kind in ("chief", "worker")) > 1
  except (ValueError, KeyError, TypeError, AttributeError):
    return False

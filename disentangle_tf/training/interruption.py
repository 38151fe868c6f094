"""Ctrl-C and a scheduler's SIGTERM: when a training stops, and what waits for it."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


class Interruption:
  """Whether the run should stop, after Ctrl-C or a scheduler's SIGTERM.

  Attributes:
    requested: whether a signal has arrived.
  """

  def __init__(self) -> None:
    self.requested = False
    self._waits = False

  @contextlib.contextmanager
  def watch(self) -> Iterator[Interruption]:
    """Handle the first signal inside the block, and ignore later ones.

    The first signal raises KeyboardInterrupt; inside `noted` it only sets `requested`.
    A second Ctrl-C must not interrupt the writing and releasing that follow, so these
    belong inside the block.
    """
    if threading.current_thread() is not threading.main_thread():
      yield self
      return
    watched = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in watched}

    def handle(*_: object) -> None:
      first, self.requested = not self.requested, True
      if first and not self._waits:
        raise KeyboardInterrupt

    for number in watched:
      signal.signal(number, handle)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)  # some may be blocked
    try:
      yield self
    finally:
      for number, handler in before.items():
        signal.signal(number, handler)

  @contextlib.contextmanager
  def noted(self) -> Iterator[None]:
    """Only note signals inside the block, which checks `requested` itself."""
    before, self._waits = self._waits, True
    try:
      yield
    finally:
      self._waits = before

  def request(self) -> None:
    """Stop as if a signal had arrived; later signals are ignored."""
    self.requested = True

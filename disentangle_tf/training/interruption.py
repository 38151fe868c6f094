"""Ctrl-C and SIGTERM during a run: heard at once, obeyed between two steps."""

import contextlib
import signal
import threading


class Interruption:
  """Whether somebody asked the run to stop (Ctrl-C, or a scheduler's SIGTERM)."""

  def __init__(self):
    self.requested = False
    self._waits = False

  @contextlib.contextmanager
  def watch(self):
    """Hears the first signal inside the block, and no later one.

    It raises KeyboardInterrupt, or inside `noted` only sets `requested`. Impatience
    after that must not cost what is written and released on the way out, so whatever
    needs that stands inside the block.
    """
    if threading.current_thread() is not threading.main_thread():
      yield self
      return
    watched = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in watched}

    def hear(*_):
      first, self.requested = not self.requested, True
      if first and not self._waits:
        raise KeyboardInterrupt

    for number in watched:
      signal.signal(number, hear)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)  # some may have been held back
    try:
      yield self
    finally:
      for number, handler in before.items():
        signal.signal(number, handler)

  @contextlib.contextmanager
  def noted(self):
    """Inside the block, whose owner looks at `requested`, nothing is raised."""
    before, self._waits = self._waits, True
    try:
      yield
    finally:
      self._waits = before

  def request(self):
    """Stops as if a signal had been heard, and so hears none."""
    self.requested = True

"""Stopping between steps rather than in the middle of one."""

import contextlib
import signal
import threading


class Interruption:
  """Whether somebody asked the run to stop (Ctrl-C, or a scheduler's SIGTERM)."""

  def __init__(self):
    self.requested = False

  @contextlib.contextmanager
  def watch(self):
    """Catches the signals inside the block, the second and later ones too.

    What has to be written before the end must be written inside it: impatience would
    cost it otherwise.
    """
    if threading.current_thread() is not threading.main_thread():
      yield self
      return
    watched = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in watched}

    def request(*_):
      self.requested = True

    for number in watched:
      signal.signal(number, request)
    try:
      yield self
    finally:
      for number, handler in before.items():
        signal.signal(number, handler)

"""Time limit of a metric: stops loops and fits that take too long."""

import contextlib
import time
from collections.abc import Callable, Iterator

from disentangle_tf.errors import UserError

_limits = []  # (end, clock), innermost last


class TimeLimitError(UserError):
  """Raised when a metric exceeds its time limit."""


@contextlib.contextmanager
def time_limit(
  seconds: float, *, clock: Callable[[], float] = time.perf_counter
) -> Iterator[None]:
  """Limit the time of the block: `check_time` raises in any thread once it is over.

  Args:
    seconds: the limit.
    clock: function without arguments that returns the time in seconds.
  """
  _limits.append((clock() + seconds, clock))
  try:
    yield
  finally:
    _limits.pop()


def check_time() -> None:
  """Raise `TimeLimitError` if the time limit is over; cheap enough for loops."""
  if _limits:
    end, clock = _limits[-1]
    if clock() > end:
      raise TimeLimitError("it takes too long")

"""Time limit of a metric: stops loops and fits that take too long."""

import contextlib
import time
from collections.abc import Callable, Iterator

from disentangle_tf.errors import UserError

_limits = []  # (when it is over, by which clock), the innermost last


class TimeLimitError(UserError):
  """A metric that takes longer than it may."""


@contextlib.contextmanager
def time_limit(
  seconds: float, *, clock: Callable[[], float] = time.perf_counter
) -> Iterator[None]:
  """Lets whatever calls `check_time` within the block, in any thread, stop in time.

  Args:
    seconds: how long it may take.
    clock: function without arguments -> seconds, by which they are counted.
  """
  _limits.append((clock() + seconds, clock))
  try:
    yield
  finally:
    _limits.pop()


def check_time() -> None:
  """Raises `TimeLimitError` if a limit is over; cheap enough for loops."""
  if _limits:
    end, clock = _limits[-1]
    if clock() > end:
      raise TimeLimitError("it takes too long")

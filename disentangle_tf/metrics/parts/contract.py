"""What a metric promises: directions of its scores, a time limit."""

import contextlib
import fnmatch
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from disentangle_tf.errors import UserError

Metric = TypeVar("Metric", bound=Callable[..., dict[str, float]])

HIGHER, LOWER, NEITHER = "higher", "lower", "neither"


def higher_is_better(*names: str) -> Callable[[Metric], Metric]:
  """Decorator of a metric that declares that higher values of these scores are better.

  Args:
    *names: names of scores; a * matches anything.

  Returns:
    The decorator. It adds the names to the metric's `directions`.

  Example:
    >>> from disentangle_tf import metrics
    >>> @metrics.higher_is_better("accuracy_*")
    ... def my_metric(codes, factors):
    ...   return {"accuracy_10": 0.5}
    >>> my_metric.directions
    {'accuracy_*': 'higher'}
  """
  return _stating(HIGHER, names)


def lower_is_better(*names: str) -> Callable[[Metric], Metric]:
  """Decorator of a metric that declares that lower values of these scores are better.

  Args:
    *names: names of scores; a * matches anything.

  Returns:
    The decorator. It adds the names to the metric's `directions`.

  Example:
    >>> from disentangle_tf import metrics
    >>> @metrics.lower_is_better("error")
    ... def my_metric(codes, factors):
    ...   return {"error": 0.5}
    >>> my_metric.directions
    {'error': 'lower'}
  """
  return _stating(LOWER, names)


def neither_is_better(*names: str) -> Callable[[Metric], Metric]:
  """Decorator of a metric that declares that these scores, such as counts, only inform.

  Args:
    *names: names of scores; a * matches anything.

  Returns:
    The decorator. It adds the names to the metric's `directions`.

  Example:
    >>> from disentangle_tf import metrics
    >>> @metrics.neither_is_better("num_latents")
    ... def my_metric(codes):
    ...   return {"num_latents": float(codes.shape[1])}
    >>> my_metric.directions
    {'num_latents': 'neither'}
  """
  return _stating(NEITHER, names)


def direction_of(metric: Callable, score: str) -> str | None:
  """Declared direction of a score: HIGHER, LOWER or NEITHER; None if not declared."""
  for name, direction in getattr(metric, "directions", {}).items():
    if fnmatch.fnmatchcase(score, name):
      return direction
  return None


def _stating(direction: str, names: tuple[str, ...]) -> Callable[[Metric], Metric]:
  def state(metric: Metric) -> Metric:
    known = getattr(metric, "directions", {})
    setattr(metric, "directions", {**known, **dict.fromkeys(names, direction)})  # noqa: B010
    return metric

  return state


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

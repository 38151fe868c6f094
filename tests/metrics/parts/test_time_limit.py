import threading

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.time_limit import (
  TimeLimitError,
  check_time,
  time_limit,
)


class Clock:
  """A clock that shows the time it is set to."""

  def __init__(self):
    self.seconds = 100.0

  def __call__(self):
    return self.seconds


def test_without_a_limit_anything_may_last():
  check_time()


def test_a_limit_that_is_over():
  clock = Clock()
  with time_limit(5, clock=clock):
    clock.seconds = 105.0
    check_time()
    clock.seconds = 105.1
    with pytest.raises(TimeLimitError, match="too long") as error:
      check_time()
  assert isinstance(error.value, UserError)
  check_time()  # the limit ended with its block


def test_a_limit_ends_with_an_error_too():
  with pytest.raises(KeyError), time_limit(-1):
    raise KeyError
  check_time()


def test_the_innermost_limit_counts():
  clock = Clock()
  with time_limit(1, clock=clock):
    clock.seconds += 2
    with time_limit(10, clock=clock):
      check_time()
    with pytest.raises(TimeLimitError):
      check_time()


def test_other_threads_are_limited():
  errors = []

  def work():
    try:
      check_time()
    except TimeLimitError as error:
      errors.append(error)

  with time_limit(-1):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
  assert len(errors) == 1

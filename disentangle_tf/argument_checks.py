"""Checks of arguments: each raises a `UserError` of one line that names the setting."""

import math
import numbers
from collections.abc import Hashable, Iterable

from disentangle_tf.errors import UserError


def check_weight(owner, **weights):
  """Raises a `UserError` unless each is a finite number from 0 up."""
  for name, value in weights.items():
    if not (_is_finite(value) and value >= 0):
      raise UserError(f"{owner}.{name} is {value!r}: it must be a number from 0 up")


def check_coefficient(owner, **coefficients):
  """Raises a `UserError` unless each is a weight, or a schedule of weights."""
  for name, value in coefficients.items():
    try:
      check_weight(owner, **{name: float(value(0)) if callable(value) else value})
    except (TypeError, ValueError) as error:
      if isinstance(error, UserError):
        raise
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a number, or a schedule of the step"
      ) from error


def check_share(owner, **shares):
  """Raises a `UserError` unless each is a number from 0 to 1."""
  for name, value in shares.items():
    if not (_is_finite(value) and 0 <= value <= 1):
      raise UserError(f"{owner}.{name} is {value!r}: it must be a number from 0 to 1")


def check_choice(owner, choices, **values):
  """Raises a `UserError` that names the `choices` unless each value is one of them."""
  *others, last = map(repr, choices)
  words = f"{', '.join(others)} or {last}" if others else last
  for name, value in values.items():
    if not isinstance(value, Hashable) or value not in tuple(choices):
      raise UserError(f"{owner}.{name} is {value!r}: it must be {words}")


def check_positive(owner, **values):
  """Raises a `UserError` unless each is a finite number above 0."""
  for name, value in values.items():
    if not (_is_finite(value) and value > 0):
      raise UserError(f"{owner}.{name} is {value!r}: it must be a number above 0")


def check_count(owner, **counts):
  """Raises a `UserError` unless each count is a whole number from 1 up."""
  for name, value in counts.items():
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < 1:
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a whole number from 1 up"
      )


def check_seed(owner, **seeds):
  """Raises a `UserError` unless each is a whole number of 32 bits."""
  for name, value in seeds.items():
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or not 0 <= value < 2**32:
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a whole number from 0 to 2**32 - 1"
      )


def check_truth(owner, **values):
  """Raises a `UserError` unless each is True or False: a text would count as True."""
  for name, value in values.items():
    if not isinstance(value, bool):
      raise UserError(f"{owner}.{name} is {value!r}: it must be True or False")


def check_list(owner, check, **lists):
  """Raises a `UserError` unless each lists one value or more that `check` lets pass.

  Args:
    check: one of the functions above, such as `check_count`.
  """
  for name, values in lists.items():
    listed = isinstance(values, Iterable) and not isinstance(values, str | dict)
    if not listed or not len(values):
      raise UserError(f"{owner}.{name} is {values!r}: it must be a list of numbers")
    for value in values:
      check(owner, **{name: value})


def check_instance(owner, wanted, example, **values):
  """Raises a `UserError` unless each is an instance of the class `wanted`."""
  for name, value in values.items():
    if not isinstance(value, wanted):
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a {wanted.__name__} such as {example}"
      )


def _is_finite(value):
  number = isinstance(value, numbers.Real) and not isinstance(value, bool)
  return number and math.isfinite(value)

"""Check arguments, read them back, and show inherited ones in signatures."""

import inspect
import math
import numbers
from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any, TypeGuard

from disentangle_tf.errors import UserError


def check_weight(owner: str, **weights: object) -> None:
  """Raise a `UserError` unless each value is a finite number of at least 0."""
  for name, value in weights.items():
    if not (_is_finite(value) and value >= 0):
      raise UserError(f"{owner}.{name} is {value!r}: it must be a number from 0 up")


def check_coefficient(
  owner: str, **coefficients: float | Callable[[int], float]
) -> None:
  """Raise a `UserError` unless each value is a weight or a schedule of weights."""
  for name, value in coefficients.items():
    try:
      check_weight(owner, **{name: float(value(0)) if callable(value) else value})
    except (TypeError, ValueError) as error:
      if isinstance(error, UserError):
        raise
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a number, or a schedule of the step"
      ) from error


def check_share(owner: str, **shares: object) -> None:
  """Raise a `UserError` unless each value is a number from 0 to 1."""
  for name, value in shares.items():
    if not (_is_finite(value) and 0 <= value <= 1):
      raise UserError(f"{owner}.{name} is {value!r}: it must be a number from 0 to 1")


def check_choice(owner: str, choices: Iterable, **values: object) -> None:
  """Raise a `UserError` that lists the `choices` unless each value is one of them."""
  *others, last = map(repr, choices)
  words = f"{', '.join(others)} or {last}" if others else last
  for name, value in values.items():
    if not isinstance(value, Hashable) or value not in tuple(choices):
      raise UserError(f"{owner}.{name} is {value!r}: it must be {words}")


def check_positive(owner: str, **values: object) -> None:
  """Raise a `UserError` unless each value is a finite number above 0."""
  for name, value in values.items():
    if not (_is_finite(value) and value > 0):
      raise UserError(f"{owner}.{name} is {value!r}: it must be a number above 0")


def check_count(owner: str, **counts: object) -> None:
  """Raise a `UserError` unless each value is a whole number of at least 1."""
  for name, value in counts.items():
    if not (_is_whole(value) and value >= 1):
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a whole number from 1 up"
      )


def check_seed(owner: str, **seeds: object) -> None:
  """Raise a `UserError` unless each value is a whole number from 0 to 2**32 - 1."""
  for name, value in seeds.items():
    if not (_is_whole(value) and 0 <= value < 2**32):
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a whole number from 0 to 2**32 - 1"
      )


def check_truth(owner: str, **values: object) -> None:
  """Raise a `UserError` unless each value is True or False; strings are refused."""
  for name, value in values.items():
    if not isinstance(value, bool):
      raise UserError(f"{owner}.{name} is {value!r}: it must be True or False")


def check_list(owner: str, check: Callable[..., None], **lists: Any) -> None:
  """Raise a `UserError` unless each is a non-empty list whose values pass `check`.

  Args:
    owner: what the argument belongs to, for the message.
    check: one of the functions above, such as `check_count`.
    lists: the arguments by name.
  """
  for name, values in lists.items():
    listed = not isinstance(values, str | dict) and isinstance(values, Collection)
    if not listed or not len(values):
      raise UserError(f"{owner}.{name} is {values!r}: it must be a list of numbers")
    for value in values:
      check(owner, **{name: value})


def check_instance(owner: str, wanted: type, example: str, **values: object) -> None:
  """Raise a `UserError` unless each value is an instance of the class `wanted`."""
  for name, value in values.items():
    if not isinstance(value, wanted):
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a {wanted.__name__} such as {example}"
      )


def _is_finite(value: object) -> TypeGuard[float]:
  if not isinstance(value, numbers.Real) or isinstance(value, bool):
    return False
  return math.isfinite(value)


def _is_whole(value: object) -> TypeGuard[int]:
  return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def init_arguments(instance: object) -> dict[str, Any]:
  """Return the arguments of `__init__` by name, each read from its attribute.

  Every init argument of this project's classes is also an attribute.
  """
  parameters = inspect.signature(type(instance).__init__).parameters
  starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
  names = [name for name, value in parameters.items() if value.kind not in starred]
  return {name: getattr(instance, name) for name in names if name != "self"}


def show_inherited_arguments(cls: type) -> None:
  """Add the arguments that `cls.__init__` passes to its parent to its signature.

  The parent's keyword arguments replace `**shared`, and its positional ones replace
  `*args`. Otherwise gin would accept a misspelt name as a setting.
  """
  if "__init__" not in vars(cls):
    return
  own = inspect.signature(cls.__init__)
  kinds = [parameter.kind for parameter in own.parameters.values()]
  if inspect.Parameter.VAR_KEYWORD not in kinds:
    return
  inherited = inspect.signature(super(cls, cls).__init__).parameters
  merged = {**inherited, **own.parameters}
  closed = [
    parameter
    for parameter in merged.values()
    if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
  ]
  closed.sort(key=lambda parameter: parameter.kind)
  init: Any = cls.__init__  # for type checkers, functions have no `__signature__`
  init.__signature__ = own.replace(parameters=closed)

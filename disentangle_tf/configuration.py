"""What an object is made with: checked on the way in, read back from its attributes."""

import inspect
import math
import numbers

from disentangle_tf.errors import UserError


def init_arguments(instance):
  """The arguments of `__init__` by name, each read from its attribute.

  Every init argument of this project's classes is also an attribute, which is
  what makes this, and so every `get_config`, a one-liner.
  """
  parameters = inspect.signature(type(instance).__init__).parameters
  starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
  names = [name for name, value in parameters.items() if value.kind not in starred]
  return {name: getattr(instance, name) for name in names if name != "self"}


def check_weight(owner, **weights):
  """Raises a `UserError` unless each weight is a finite number from 0 up."""
  for name, value in weights.items():
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
      raise UserError(f"{owner}.{name} is {value!r}: it must be a number from 0 up")


def check_count(owner, **counts):
  """Raises a `UserError` unless each count is a whole number from 1 up."""
  for name, value in counts.items():
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < 1:
      raise UserError(
        f"{owner}.{name} is {value!r}: it must be a whole number from 1 up"
      )

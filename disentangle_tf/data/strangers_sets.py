"""The allow-list of data sets and arguments that a foreign manifest may name.

A manifest may come with a foreign model, and the set that it names is made in the
evaluator's own process. So only sets are allowed that need no file, folder, address or
source, in sizes that take little memory.
"""

import dataclasses
from collections.abc import Callable

from disentangle_tf.errors import UserError
from disentangle_tf.strangers_text import printable

_DEEPEST = 3  # nested sets
_LONGEST = 200  # name of a factor
_MOST_NAMES = 64


@dataclasses.dataclass(frozen=True)
class _Kind:
  """The values that an argument may have: a test, and its description in words."""

  words: str
  fits: Callable


def _whole(lowest: int, highest: int) -> _Kind:
  return _Kind(
    f"a whole number from {lowest:,} to {highest:,}",
    lambda value: type(value) is int and lowest <= value <= highest,
  )


def _fits_names(value: object) -> bool:
  if not isinstance(value, list | tuple) or not 0 < len(value) <= _MOST_NAMES:
    return False
  return all(type(name) is str and len(name) <= _LONGEST for name in value)


def _fits_sizes(value: object) -> bool:
  if not isinstance(value, list | tuple) or len(value) != 5:
    return False
  return all(type(size) is int and 1 <= size <= 40 for size in value)


_SIDE = _whole(1, 256)
_POINTS = _whole(1, 20_000)
_NUMBER = _Kind(
  "a number from -100 to 100",
  lambda value: type(value) in (int, float) and abs(value) <= 100,
)
_TRUTH = _Kind("true or false", lambda value: type(value) is bool)
_NO_FILE = _Kind("null, unless trusted=True", lambda value: value is None)
_NAMES = _Kind("a list of names", _fits_names)
_SET = _Kind("a data set", lambda value: isinstance(value, dict))
_SIZES = _Kind("a list of five numbers of values", _fits_sizes)

_SPRITES = {"path": _NO_FILE, "image_size": _whole(8, 64), "sizes": _SIZES}
_ARGUMENTS = {
  "XYSquares": {
    "grid_spacing": _SIDE,
    "num_squares": _whole(1, 3),
    "image_size": _SIDE,
    "square_size": _SIDE,
    "grey": _TRUTH,
  },
  "DSprites": _SPRITES,
  "ColorDSprites": _SPRITES,
  "NoisyDSprites": _SPRITES,
  "Pinwheel": {
    "num_points": _POINTS,
    "num_clusters": _POINTS,
    "radial_std": _NUMBER,
    "tangential_std": _NUMBER,
    "rate": _NUMBER,
    "seed": _whole(0, 2**63 - 1),
  },
  "Lattice": {"points_per_cluster": _whole(1, 1_000), "seed": _whole(0, 2**63 - 1)},
  "Spot": {},
  "FactorSubset": {"data": _SET, "names": _NAMES},
  "UniformNoise": {"data": _SET, "epsilon": _NUMBER},
}


def check_strangers_set(config: dict) -> None:
  """Raise a `UserError` unless a foreign manifest may name this data set.

  Args:
    config: {"class": name, "arguments": {...}}, see `data_to_config`.

  Raises:
    UserError: the set reads files, is not part of this package, or has arguments that
      are not allowed.

  Example:
    >>> from disentangle_tf import data
    >>> data.check_strangers_set({"class": "Spot", "arguments": {}})
    >>> data.check_strangers_set({"class": "Cars3D", "arguments": {}})
    Traceback (most recent call last):
    ...
    disentangle_tf.errors.UserError: a foreign model may not name the data set Cars3D...
  """
  _check(config, 1)


def _check(config: dict, depth: int) -> None:
  name, arguments = config.get("class"), config.get("arguments", {})
  allowed = _ARGUMENTS.get(name) if type(name) is str else None
  if allowed is None or depth > _DEEPEST:
    raise UserError(
      f"a foreign model may not name the data set {printable(name)} (it needs files, "
      "or is not part of this package): choose the data set (data=...), or add "
      "trusted=True if you trust the model's author"
    )
  if not isinstance(arguments, dict):
    raise UserError(f"the arguments of the data set {name} are not a dictionary")
  for argument, value in arguments.items():
    kind = allowed.get(argument)
    if kind is None:
      raise UserError(f"the data set {name} has no argument {printable(argument)}")
    if not kind.fits(value):
      shown = printable(value, longest=60)
      raise UserError(f"{name}.{argument} is {shown}: it must be {kind.words}")
    if kind is _SET:
      _check(value, depth + 1)

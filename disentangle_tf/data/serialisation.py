"""Data sets as JSON and back, and which sets a foreign manifest may name."""

import dataclasses
from collections.abc import Callable

from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.known_sets import KNOWN_SETS
from disentangle_tf.data.sets.wrappers import FactorSubset, UniformNoise
from disentangle_tf.errors import UserError
from disentangle_tf.text import printable

_CLASSES = {
  kind.__name__: kind
  for kind in (
    *(known.data_class for known in KNOWN_SETS.values()),
    FactorSubset,
    UniformNoise,
  )
}


def data_to_config(data: GroundTruthData) -> dict:
  """Describe a data set as JSON types; `data_from_config` is the inverse.

  A class that is not part of this package has its module in its name, so that it is
  never mistaken for one of this package.

  Args:
    data: a `GroundTruthData`.

  Returns:
    {"class": name, "arguments": {...}}. An argument that is a data set becomes such a
    dictionary too.

  Example:
    >>> from disentangle_tf import data
    >>> data.data_to_config(data.UniformNoise(data.Spot(), 0.1))
    {'class': 'UniformNoise', 'arguments': {'data': {'class': 'Spot', 'arguments': {}},
    'epsilon': 0.1}}
  """
  arguments = dict(data.get_config())
  for name, value in arguments.items():
    if isinstance(value, GroundTruthData):
      arguments[name] = data_to_config(value)
  kind = type(data)
  ours = _find_class(kind.__name__) is kind
  name = kind.__name__ if ours else f"{kind.__module__}.{kind.__name__}"
  return {"class": name, "arguments": arguments}


def is_made_here(config: dict) -> bool:
  """Whether a description names only data sets of this package."""
  inner = [value for value in config["arguments"].values() if isinstance(value, dict)]
  return _find_class(config["class"]) is not None and all(map(is_made_here, inner))


def data_from_config(config: dict) -> GroundTruthData:
  """Make the data set that `data_to_config` described.

  Only the classes of `KNOWN_SETS`, `FactorSubset` and `UniformNoise` can be made. Check
  a foreign description with `check_foreign_data` first.

  Args:
    config: {"class": name, "arguments": {...}}.

  Returns:
    The `GroundTruthData`.

  Raises:
    UserError: the class is not one of this package, or does not take the arguments.

  Example:
    >>> from disentangle_tf import data
    >>> config = {"class": "XYSquares", "arguments": {"num_squares": 2}}
    >>> data.data_from_config(config).observation_shape
    (64, 64, 2)
  """
  name = config.get("class")
  kind = _find_class(name)
  if kind is None:
    raise UserError(
      f"the export was trained on data set {name!r}, which is not part of this "
      "package: choose the data set to use (data=...)"
    )
  try:
    arguments = {
      name: data_from_config(value) if isinstance(value, dict) else value
      for name, value in config.get("arguments", {}).items()
    }
    return kind.from_config(arguments)
  except (TypeError, AttributeError) as error:
    raise UserError(f"the export's data set cannot be made again: {error}") from error


def _find_class(name: object) -> type[GroundTruthData] | None:
  """Return the class of that name, or None; the name may be any JSON value."""
  return _CLASSES.get(name) if isinstance(name, str) else None


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


def check_foreign_data(config: dict) -> None:
  """Raise a `UserError` unless a foreign manifest may name this data set.

  Args:
    config: {"class": name, "arguments": {...}}, see `data_to_config`.

  Raises:
    UserError: the set reads files, is not part of this package, or has arguments that
      are not allowed.

  Example:
    >>> from disentangle_tf import data
    >>> data.check_foreign_data({"class": "Spot", "arguments": {}})
    >>> data.check_foreign_data({"class": "Cars3D", "arguments": {}})
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

"""Data sets to JSON and back, so that an export records its training data."""

from disentangle_tf.data.factor_subset import FactorSubset
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.known_sets import KNOWN_SETS
from disentangle_tf.data.uniform_noise import UniformNoise
from disentangle_tf.errors import UserError

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
  a foreign description with `check_strangers_set` first.

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

"""Data sets to JSON and back, so that an export can say what it was trained on."""

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
  """{"class": name, "arguments": {...}} that `data_from_config` turns back.

  An argument that is itself a data set becomes such a dictionary in turn. A class of
  somebody else's has its module in its name, so that it is never taken for ours.
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
  """Whether a description names this package's data sets alone."""
  inner = [value for value in config["arguments"].values() if isinstance(value, dict)]
  return _find_class(config["class"]) is not None and all(map(is_made_here, inner))


def data_from_config(config: dict) -> GroundTruthData:
  """The data set that `data_to_config` described.

  Only the classes of `KNOWN_SETS`, `FactorSubset` and `UniformNoise` are looked up, by
  their name.
  Text of a stranger must have passed `check_strangers_set`.
  """
  name = config.get("class")
  kind = _find_class(name)
  if kind is None:
    raise UserError(
      f"the export was trained on data set {name!r}, which is not one of this "
      "package's: name the data to use with --data"
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
  """The class of that name, or None; a name may be whatever JSON can hold."""
  return _CLASSES.get(name) if isinstance(name, str) else None

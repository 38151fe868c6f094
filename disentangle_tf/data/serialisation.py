"""A data set as plain JSON, so that an export can say what it was trained on."""

from disentangle_tf import data as data_sets
from disentangle_tf.errors import UserError


def data_to_config(data):
  """{"class": name, "arguments": {...}} that `data_from_config` turns back.

  An argument that is itself a data set becomes such a dictionary in turn. A class of
  somebody else's has its module in its name, so that it is never taken for ours.
  """
  arguments = dict(data.get_config())
  for name, value in arguments.items():
    if isinstance(value, data_sets.GroundTruthData):
      arguments[name] = data_to_config(value)
  kind = type(data)
  ours = getattr(data_sets, kind.__name__, None) is kind
  name = kind.__name__ if ours else f"{kind.__module__}.{kind.__name__}"
  return {"class": name, "arguments": arguments}


def is_made_here(config):
  """Whether a description names this package's data sets alone."""
  inner = [value for value in config["arguments"].values() if isinstance(value, dict)]
  return config["class"] in data_sets.__all__ and all(map(is_made_here, inner))


def data_from_config(config):
  """The data set that `data_to_config` described.

  Only this package's own data sets are looked up, and only by their public name. Text
  of a stranger must have passed `check_strangers_set`.
  """
  name = config.get("class")
  made = getattr(data_sets, name, None) if name in data_sets.__all__ else None
  if not isinstance(made, type) or not issubclass(made, data_sets.GroundTruthData):
    raise UserError(
      f"the export was trained on data set {name!r}, which is not one of this "
      "package's: name the data to use with --data"
    )
  try:
    arguments = {
      name: data_from_config(value) if isinstance(value, dict) else value
      for name, value in config.get("arguments", {}).items()
    }
    return made.from_config(arguments)
  except (TypeError, AttributeError) as error:
    raise UserError(f"the export's data set cannot be made again: {error}") from error

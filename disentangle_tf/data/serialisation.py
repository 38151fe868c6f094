"""A data set as plain JSON, so that an export can say what it was trained on."""

from disentangle_tf import data as data_sets
from disentangle_tf.errors import UserError


def data_to_config(data):
  """{"class": name, "arguments": {...}} that `data_from_config` turns back.

  An argument that is itself a data set becomes such a dictionary in turn.
  """
  arguments = dict(data.get_config())
  for name, value in arguments.items():
    if isinstance(value, data_sets.GroundTruthData):
      arguments[name] = data_to_config(value)
  return {"class": type(data).__name__, "arguments": arguments}


def data_from_config(config):
  """The data set that `data_to_config` described.

  Only this package's own data sets are looked up, and only by their public name: the
  text may come from a stranger.
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

"""What a manifest says of a model: its class, hyper-parameters, loss and prior.

Since contract version 2 it is the manifest's "model": the model's class and arguments,
in which the reconstruction loss, the prior and the standardisation stand by their
names. Version 1 told the latter three alone, as its "generative_model".
"""

import math
import numbers

import keras
import numpy as np

from disentangle_tf.export.manifest_check import count_numbers
from disentangle_tf.export.part_serialisation import (
  class_name,
  is_ours,
  loss_to_config,
  prior_to_config,
)
from disentangle_tf.init_arguments import init_arguments
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.priors import Prior

_MOST_NUMBERS = 2**10  # of an argument that is neither a loss nor a prior
_LONGEST = 200  # text
_PARTS = {  # by their names in version 1
  "reconstruction": "likelihood",
  "prior": "prior",
  "standardisation": "standardisation",
}


def model_to_config(model):
  """{"class": name, "arguments": {...}} of a `RepresentationModel`, as JSON.

  The arguments are numbers, truth values, texts and lists of them as they are; losses
  and priors as `part_serialisation` tells them; schedules and other parts of this
  package by class and arguments; of everything else the name of its class. Networks
  are left out: the SavedModel has them.
  """
  arguments = init_arguments(model)
  arguments.pop("name", None)
  return {
    "class": class_name(model),
    "arguments": {
      name: _told(value)
      for name, value in arguments.items()
      if not isinstance(value, keras.Model)
    },
  }


def told_parts(manifest):
  """What a manifest of either version tells that images can be compared with.

  Args:
    manifest: as of `read_manifest`; {} of a model that has none.

  Returns:
    {"reconstruction", "prior", "standardisation"}, of which those that are not told
    are missing, and those that the model does not have are None.
  """
  if manifest.get("contract_version") == 1:
    told = manifest.get("generative_model") or {}
    return {new: told[old] for new, old in _PARTS.items() if old in told}
  told = (manifest.get("model") or {}).get("arguments")
  if told is None:
    return {}
  return {name: told.get(name) for name in _PARTS}


def _told(value):
  if isinstance(value, ReconstructionLoss):
    return loss_to_config(value)
  if isinstance(value, Prior):
    return prior_to_config(value)
  if value is None or isinstance(value, bool):
    return value
  if isinstance(value, str) and len(value) <= _LONGEST:
    return value
  if isinstance(value, numbers.Real) and math.isfinite(value):
    return value.item() if isinstance(value, np.generic) else value
  if isinstance(value, np.ndarray):
    value = value.tolist()
  if isinstance(value, list | tuple) and count_numbers(list(value)) <= _MOST_NUMBERS:
    return [_told(each) for each in value]
  if is_ours(value) and hasattr(value, "get_config"):
    arguments = {name: _told(each) for name, each in init_arguments(value).items()}
    return {"class": class_name(value), "arguments": arguments}
  return {"class": class_name(value), "arguments": None}

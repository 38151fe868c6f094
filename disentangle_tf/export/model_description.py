"""The description of a model in a manifest: class, arguments, loss and prior.

Since contract version 2 the manifest's field "model" has the model's class and
arguments, including the reconstruction loss, the prior and the standardisation. Version
1 recorded only these three, in its field "generative_model".
"""

import math
import numbers
from typing import Any

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


def model_to_config(model: Any) -> dict:
  """Describe a `RepresentationModel` as JSON: {"class": name, "arguments": {...}}.

  Numbers, truth values, strings and lists of them are kept unchanged. Losses and priors
  are described as in `part_serialisation`, schedules and other parts of this package by
  class and arguments, everything else by the name of its class only. Networks are left
  out, because the SavedModel contains them.
  """
  arguments = init_arguments(model)
  arguments.pop("name", None)
  return {
    "class": class_name(model),
    "arguments": {
      name: _described(value)
      for name, value in arguments.items()
      if not isinstance(value, keras.Model)
    },
  }


def told_parts(manifest: dict) -> dict:
  """Loss, prior and standardisation in a manifest of either version.

  Args:
    manifest: see `read_manifest`; {} for a model without a manifest.

  Returns:
    {"reconstruction", "prior", "standardisation"}. Parts that the manifest does not
    record are missing; parts that the model does not have are None.
  """
  if manifest.get("contract_version") == 1:
    recorded = manifest.get("generative_model") or {}
    return {new: recorded[old] for new, old in _PARTS.items() if old in recorded}
  arguments = (manifest.get("model") or {}).get("arguments")
  if arguments is None:
    return {}
  return {name: arguments.get(name) for name in _PARTS}


def _described(value: Any) -> Any:
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
    return [_described(each) for each in value]
  if is_ours(value) and hasattr(value, "get_config"):
    arguments = {name: _described(each) for name, each in init_arguments(value).items()}
    return {"class": class_name(value), "arguments": arguments}
  return {"class": class_name(value), "arguments": None}

"""What a manifest records of the model and its reconstruction loss."""

import logging
import math
import numbers
import os
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import init_arguments
from disentangle_tf.errors import UserError
from disentangle_tf.export.manifest_check import count_numbers
from disentangle_tf.export.part_serialisation import (
  class_name,
  is_ours,
  loss_from_config,
  loss_to_config,
  prior_to_config,
)
from disentangle_tf.losses import MSE, ReconstructionLoss
from disentangle_tf.priors import Prior
from disentangle_tf.text import printable

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


_SIDE = 8  # of the images on which a loss is tested
_logger = logging.getLogger(__name__)


def reconstruction_loss_of(manifest: dict) -> ReconstructionLoss:
  """Reconstruction loss that a model was trained with.

  Learned values are among its arguments. Only losses of this package are built, because
  the manifest may belong to a foreign model.

  Args:
    manifest: see `read_manifest`; {} for a model without a manifest.

  Returns:
    A `losses.ReconstructionLoss`.

  Raises:
    UserError: the manifest does not record the loss, or not all of it, or the recorded
      loss gives no finite numbers.

  Example:
    >>> from disentangle_tf import export
    >>> loss = {"class": "Bernoulli", "arguments": {"epsilon": 0.01}}
    >>> model = {"class": "VAE", "arguments": {"reconstruction": loss}}
    >>> manifest = {"contract_version": 2, "model": model}
    >>> export.reconstruction_loss_of(manifest).epsilon
    0.01
  """
  parts = told_parts(manifest)
  if "reconstruction" not in parts:
    raise UserError(
      "the manifest does not record the loss (a gin file that sets LOSS names one)"
    )
  loss = loss_from_config(parts["reconstruction"])
  _try_out(loss)
  return loss


def loss_of_distances(manifest: dict, *, path: str | os.PathLike) -> ReconstructionLoss:
  """Loss for a model's perceived distances: its own, or MSE with a warning.

  Args:
    manifest: see `reconstruction_loss_of`.
    path: the model's name in the warning.

  Returns:
    A `losses.ReconstructionLoss`.

  Example:
    >>> from disentangle_tf import export
    >>> type(export.loss_of_distances({}, path="model.onnx")).__name__
    'MSE'
  """
  try:
    return reconstruction_loss_of(manifest)
  except UserError as error:
    _logger.warning("%s: distances are those of MSE: %s", printable(path), error)
    return MSE()


def _try_out(loss: ReconstructionLoss) -> None:
  """Raise a `UserError` unless the distance of black and white is finite."""
  black = tf.zeros((1, _SIDE, _SIDE, 1))
  try:
    found = loss.distance(black, 1 - black).numpy()
  except (ValueError, tf.errors.OpError) as error:
    raise UserError("the model's loss does not work on images") from error
  if not np.isfinite(found).all():
    raise UserError("the model's loss gives no finite numbers")

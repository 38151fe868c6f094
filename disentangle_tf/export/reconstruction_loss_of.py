"""The reconstruction loss that an export was trained with, from its manifest."""

import logging
import os

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.export.model_description import told_parts
from disentangle_tf.export.part_serialisation import loss_from_config
from disentangle_tf.losses import MSE, ReconstructionLoss
from disentangle_tf.strangers_text import printable

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

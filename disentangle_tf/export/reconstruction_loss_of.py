"""The reconstruction loss that an export was trained with, read off its manifest."""

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.export.model_description import told_parts
from disentangle_tf.export.part_serialisation import loss_from_config
from disentangle_tf.losses import MSE
from disentangle_tf.strangers_text import printable

_SIDE = 8  # of the images that a loss is tried out on


def reconstruction_loss_of(manifest):
  """The `losses.ReconstructionLoss` that a model was trained with.

  What it has learned is among its arguments. Nothing but this package's own losses is
  made, whatever a stranger has written.

  Args:
    manifest: as of `read_manifest`; {} of a model that has none.

  Raises:
    UserError: a line that says why there is none: the manifest does not tell it, or
      not all of it, or what it tells gives no numbers.
  """
  parts = told_parts(manifest)
  if "reconstruction" not in parts:
    raise UserError(
      "the model does not tell its loss (a gin file that sets LOSS names one)"
    )
  loss = loss_from_config(parts["reconstruction"])
  _try_out(loss)
  return loss


def loss_of_distances(manifest, *, path):
  """The loss that perceives distances for a model: its own, or MSE with a line why.

  Args:
    manifest: as of `reconstruction_loss_of`.
    path: what the user calls the model.
  """
  try:
    return reconstruction_loss_of(manifest)
  except UserError as error:
    print(f"{printable(path)}: distances are those of MSE: {error}")
    return MSE()


def _try_out(loss):
  """Raises a `UserError` unless black and white are a finite distance apart."""
  black = tf.zeros((1, _SIDE, _SIDE, 1))
  try:
    found = loss.distance(black, 1 - black).numpy()
  except (ValueError, tf.errors.OpError) as error:
    raise UserError("the model's loss compares no images") from error
  if not np.isfinite(found).all():
    raise UserError("the model's loss gives no numbers")

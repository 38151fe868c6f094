"""Limits of training on several replicas."""

from __future__ import annotations

import logging
import typing
from collections.abc import Iterator

import keras

if typing.TYPE_CHECKING:
  from disentangle_tf.models import RepresentationModel

_log = logging.getLogger(__name__)


def what_xla_cannot_compile(model: RepresentationModel) -> str | None:
  """The part of a model that exchanges values between replicas in the loss, or None."""
  if model.needs_whole_batch:
    return f"{type(model).__name__}, which compares images of all replicas"
  loss = model.supervision
  if loss is not None and loss.needs_whole_batch:
    return f"{type(loss).__name__}, which compares images of all replicas"
  names = [layer.name for layer in _normalising(model) if layer.synchronized]
  return f"the synchronised layer {names[0]}" if names else None


def report_partial_statistics(model: RepresentationModel) -> None:
  """Log a layer that normalises by one replica's part of the batch, if any does."""
  names = [layer.name for layer in _normalising(model) if not layer.synchronized]
  if names:
    _log.warning(
      "Computing.strategy: the layer %s normalises by one replica's part of the batch; "
      "make it with synchronized=True to learn as with one replica",
      names[0],
    )


def _normalising(model: keras.Model) -> Iterator[keras.layers.Layer]:
  """The layers that normalise by statistics of the batch."""
  for layer in model.layers:
    if hasattr(layer, "synchronized"):
      yield layer
    elif isinstance(layer, keras.Model):
      yield from _normalising(layer)

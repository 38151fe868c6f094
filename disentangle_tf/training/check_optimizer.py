"""Checks of an optimiser's settings, which Keras checks late or never."""

from __future__ import annotations

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_positive, check_truth
from disentangle_tf.errors import UserError

_CHECKS = {
  check_positive: ("clipnorm", "global_clipnorm", "clipvalue"),
  check_count: ("gradient_accumulation_steps",),
  check_truth: ("amsgrad", "centered", "nesterov", "use_ema"),
}
_OF_ONE_REPLICA = ("gradient_accumulation_steps", "ema_overwrite_frequency")


def check_optimizer(
  optimizer: keras.optimizers.Optimizer, *, num_replicas: int = 1
) -> None:
  """Raise a `UserError` unless the Keras `optimizer` can take a step.

  The check takes a step, so pass a copy that is not used afterwards.

  Args:
    optimizer: a Keras optimiser.
    num_replicas: how many replicas will take each step together.
  """
  name = type(optimizer).__name__
  if num_replicas > 1:
    _check_for_replicas(getattr(optimizer, "inner_optimizer", optimizer))
  for check, settings in _CHECKS.items():
    given = {setting: getattr(optimizer, setting, None) for setting in settings}
    check(name, **{k: value for k, value in given.items() if value is not None})
  weight = keras.Variable([1.0])
  try:
    optimizer.build([weight])
    loss = optimizer.scale_loss(tf.constant(1.0))
    optimizer.apply([tf.reshape(loss, [1])], [weight])
    finite = np.isfinite(weight.numpy()).all()
  except (TypeError, ValueError, AttributeError, tf.errors.OpError) as error:
    reason = str(error).splitlines()[0]
    raise UserError(f"{name} does not accept its settings: {reason}") from error
  if not finite:
    raise UserError(f"{name} makes weights that are not finite: look at its settings")


def _check_for_replicas(optimizer: object) -> None:
  """Refuse settings with which Keras updates only at some steps: replicas cannot."""
  for setting in _OF_ONE_REPLICA:
    value = getattr(optimizer, setting, None)
    if value:
      raise UserError(
        f"{type(optimizer).__name__}.{setting} is {value!r}: several replicas cannot "
        "do that; leave it out, or train on one with training.Computing.strategy=None"
      )

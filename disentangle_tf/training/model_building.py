"""Build and compile a model, and refuse what replicas or the optimizer cannot do."""

from __future__ import annotations

import logging
import typing
from collections.abc import Callable, Iterator, Sequence

import keras
import numpy as np
import tensorflow as tf
from keras.optimizers import Optimizer

from disentangle_tf.arguments import (
  check_count,
  check_instance,
  check_positive,
  check_truth,
)
from disentangle_tf.errors import UserError
from disentangle_tf.training import devices

if typing.TYPE_CHECKING:
  from disentangle_tf.models import RepresentationModel


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


_log = logging.getLogger(__name__)


def what_xla_cannot_compile(model: RepresentationModel) -> str | None:
  """The part of a model that exchanges values between replicas in the loss, or None."""
  if model.needs_whole_batch:
    return f"{type(model).__name__}, which compares images of all replicas"
  loss = model.supervision
  if loss is not None and loss.needs_whole_batch:
    return f"{type(loss).__name__}, which compares images of all replicas"
  names = [x.name for x in _layers(model) if getattr(x, "synchronized", False)]
  return f"the synchronised layer {names[0]}" if names else None


def report_partial_statistics(model: RepresentationModel) -> None:
  """Log a layer that normalises by one replica's part of the batch, if any does."""
  names = [
    layer.name for layer in _layers(model) if not getattr(layer, "synchronized", True)
  ]
  if names:
    _log.warning(
      "Computing.strategy: the layer %s normalises by one replica's part of the batch; "
      "make it with synchronized=True to learn as with one replica",
      names[0],
    )


_LEAST_STEPS = 1_000  # which save the second that XLA takes to compile


def uses_xla(
  asked: bool | None,
  networks: Sequence[keras.Model],
  strategy: tf.distribute.Strategy,
  steps: int,
  *,
  whose: str,
  precision: str = "float32",
) -> bool:
  """Whether XLA compiles the steps: as asked, or where it is known to be faster.

  Args:
    asked: what the user set; None decides by the device and the networks.
    networks: every model that a step runs.
    strategy: where the steps run.
    steps: how many.
    whose: owner of the setting `jit_compile`, for the log.
    precision: Keras dtype policy of the steps.
  """
  if asked is not None:
    return asked
  if devices.on_gpu():
    return True
  is_simple = strategy.num_replicas_in_sync == 1 and precision == "float32"
  if steps < _LEAST_STEPS or not is_simple or any(map(has_convolutions, networks)):
    return False
  _log.info(
    "XLA compiles the steps, which makes networks without convolutions faster; "
    "%s.jit_compile = False turns it off",
    whose,
  )
  return True


def has_convolutions(model: keras.Model) -> bool:
  """Whether any layer of the model, or of its networks, is a convolution."""
  return any(hasattr(layer, "kernel_size") for layer in _layers(model))


def _layers(model: keras.Model) -> Iterator[keras.layers.Layer]:
  """All layers of a model and of the models within it."""
  for layer in model.layers:
    if isinstance(layer, keras.Model):
      yield from _layers(layer)
    else:
      yield layer


_EXAMPLES = {"model": "models.BetaVAE", "optimizer": "keras.optimizers.Adam"}


def build_model(
  model: Callable[[], RepresentationModel],
  optimizer: Callable[[], keras.optimizers.Optimizer],
  *,
  strategy: tf.distribute.Strategy,
  seed: int,
) -> RepresentationModel:
  """Make a compiled model with all weights, those of its optimiser included.

  Args:
    model, optimizer: functions that make them, as for `train`.
    strategy: the `tf.distribute.Strategy` that the weights belong to.
    seed: of the weights, and of what the model draws.

  Raises:
    UserError: if they make something else, or a step with the optimiser fails.
  """
  _check_makers(model=(model, keras.Model), optimizer=(optimizer, Optimizer))
  tried = optimizer()
  check_instance("train", Optimizer, _EXAMPLES["optimizer"], optimizer=tried)
  num_replicas = strategy.num_replicas_in_sync
  check_optimizer(tried, num_replicas=num_replicas)
  with strategy.scope():
    keras.utils.set_random_seed(seed)
    built = model()
    check_instance("train", keras.Model, _EXAMPLES["model"], model=built)
    built.seed = seed
    built.compile(optimizer(), jit_compile=False)  # the step runner compiles
    built.optimizer.build(built.trainable_variables)
  other = getattr(built, "discriminator_optimizer", None)
  if other is not None:
    tried = type(other).from_config(other.get_config())
    check_optimizer(tried, num_replicas=num_replicas)
  return built


def _check_makers(**makers: tuple[typing.Any, type]) -> None:
  """Raise a `UserError` unless each (maker, class) is a maker, not an instance."""
  for name, (maker, made) in makers.items():
    if isinstance(maker, made) or not callable(maker):
      raise UserError(
        f"train.{name} is {_short(maker)}: it must be a class or function "
        f"that makes the {name}, without parentheses, such as {_EXAMPLES[name]}"
      )


def _short(value: object) -> str:
  return f"a {type(value).__name__}" if callable(value) else repr(value)

"""Make a model and compile it with its optimiser, inside a strategy's scope."""

from __future__ import annotations

import typing
from collections.abc import Callable

import keras
from keras.optimizers import Optimizer

from disentangle_tf.argument_checks import check_instance
from disentangle_tf.errors import UserError
from disentangle_tf.training.check_optimizer import check_optimizer

if typing.TYPE_CHECKING:
  import tensorflow as tf

  from disentangle_tf.models import RepresentationModel


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

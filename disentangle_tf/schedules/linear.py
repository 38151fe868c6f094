"""A coefficient that changes linearly from one value to another."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_weight
from disentangle_tf.init_arguments import init_arguments


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Linear(keras.optimizers.schedules.LearningRateSchedule):
  """Linear change from `first` to `last` in `steps` steps, then constant.

  It serves to warm up beta, to anneal a supervised loss, or to increase the capacity of
  AnnealedVAE.

  Args:
    first: value at step 0, from 0 up.
    last: value from step `steps` on, from 0 up.
    steps: number of steps of the change.

  Example:
    >>> from disentangle_tf import schedules
    >>> warm_up = schedules.Linear(0.0, 4.0, steps=100)
    >>> float(warm_up(25)), float(warm_up(1_000))
    (1.0, 4.0)
  """

  def __init__(self, first: float, last: float, *, steps: int) -> None:
    check_weight("Linear", first=first, last=last)
    check_count("Linear", steps=steps)
    self.first = first
    self.last = last
    self.steps = steps

  def __call__(self, step: int | tf.Tensor) -> tf.Tensor:
    progress = tf.minimum(tf.cast(step, tf.float32) / self.steps, 1.0)
    return self.first + (self.last - self.first) * progress

  def get_config(self) -> dict:
    return init_arguments(self)

"""A coefficient that is 0 before a given step and constant afterwards."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_weight
from disentangle_tf.init_arguments import init_arguments


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Switch(keras.optimizers.schedules.LearningRateSchedule):
  """0 before step `start`, then `value`: fine-tuning with a supervised loss.

  Args:
    value: the coefficient from step `start` on, from 0 up.
    start: first step with that value, from 1 up.

  Example:
    >>> from disentangle_tf import schedules
    >>> gamma = schedules.Switch(2.0, start=100)
    >>> float(gamma(99)), float(gamma(100))
    (0.0, 2.0)
  """

  def __init__(self, value: float, *, start: int) -> None:
    check_weight("Switch", value=value)
    check_count("Switch", start=start)
    self.value = value
    self.start = start

  def __call__(self, step: int | tf.Tensor) -> tf.Tensor:
    return tf.where(tf.cast(step, tf.int64) < self.start, 0.0, float(self.value))

  def get_config(self) -> dict:
    return init_arguments(self)

"""A coefficient that is 0 up to a step and constant from there on."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_weight
from disentangle_tf.init_arguments import init_arguments


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Switch(keras.optimizers.schedules.LearningRateSchedule):
  """0 before step `start`, then `value`: fine-tuning with a supervised loss."""

  def __init__(self, value, *, start):
    check_weight("Switch", value=value)
    check_count("Switch", start=start)
    self.value = value
    self.start = start

  def __call__(self, step):
    return tf.where(tf.cast(step, tf.int64) < self.start, 0.0, float(self.value))

  def get_config(self):
    return init_arguments(self)

"""A coefficient that goes linearly from one value to another."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_weight
from disentangle_tf.init_arguments import init_arguments


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Linear(keras.optimizers.schedules.LearningRateSchedule):
  """Goes from `first` to `last` in `steps` steps and stays there.

  Warms beta up, anneals a supervised loss, or increases AnnealedVAE's capacity.
  """

  def __init__(self, first, last, *, steps):
    check_weight("Linear", first=first, last=last)
    check_count("Linear", steps=steps)
    self.first = first
    self.last = last
    self.steps = steps

  def __call__(self, step):
    progress = tf.minimum(tf.cast(step, tf.float32) / self.steps, 1.0)
    return self.first + (self.last - self.first) * progress

  def get_config(self):
    return init_arguments(self)

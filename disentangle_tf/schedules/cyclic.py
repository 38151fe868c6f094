"""A coefficient that rises linearly, again and again."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.init_arguments import init_arguments


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Cyclic(keras.optimizers.schedules.LearningRateSchedule):
  """Every `period` steps: rises from `first` to `last`, then stays there.

  Args:
    first, last: where each cycle begins and ends.
    period: steps per cycle.
    rise: the part of a cycle, above 0 and up to 1, that the rise takes.

  Reference: Fu et al., 2019, "Cyclical Annealing Schedule: A Simple Approach to
  Mitigating KL Vanishing".
  """

  def __init__(self, first, last, *, period, rise=0.5):
    check_weight("Cyclic", first=first, last=last)
    check_count("Cyclic", period=period)
    if not 0 < rise <= 1:
      raise UserError(f"Cyclic.rise is {rise!r}: it must be above 0 and at most 1")
    self.first = first
    self.last = last
    self.period = period
    self.rise = rise

  def __call__(self, step):
    place = tf.cast(tf.cast(step, tf.int64) % self.period, tf.float32)
    progress = tf.minimum(place / (self.rise * self.period), 1.0)
    return self.first + (self.last - self.first) * progress

  def get_config(self):
    return init_arguments(self)

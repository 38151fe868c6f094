"""A coefficient that rises linearly in every cycle."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.init_arguments import init_arguments


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Cyclic(keras.optimizers.schedules.LearningRateSchedule):
  """Cycles of `period` steps: a linear rise from `first` to `last`, then constant.

  Args:
    first: value at the beginning of each cycle, from 0 up.
    last: value after the rise, from 0 up.
    period: steps per cycle.
    rise: share of a cycle that the rise takes, above 0 and at most 1.

  Reference: Fu et al., 2019, "Cyclical Annealing Schedule: A Simple Approach to
  Mitigating KL Vanishing".

  Example:
    >>> from disentangle_tf import schedules
    >>> beta = schedules.Cyclic(0.0, 1.0, period=4)
    >>> [float(beta(step)) for step in range(6)]
    [0.0, 0.5, 1.0, 1.0, 0.0, 0.5]
  """

  def __init__(
    self, first: float, last: float, *, period: int, rise: float = 0.5
  ) -> None:
    check_weight("Cyclic", first=first, last=last)
    check_count("Cyclic", period=period)
    if not 0 < rise <= 1:
      raise UserError(f"Cyclic.rise is {rise!r}: it must be above 0 and at most 1")
    self.first = first
    self.last = last
    self.period = period
    self.rise = rise

  def __call__(self, step: int | tf.Tensor) -> tf.Tensor:
    place = tf.cast(tf.math.floormod(tf.cast(step, tf.int64), self.period), tf.float32)
    progress = tf.minimum(place / (self.rise * self.period), 1.0)
    return self.first + (self.last - self.first) * progress

  def get_config(self) -> dict:
    return init_arguments(self)

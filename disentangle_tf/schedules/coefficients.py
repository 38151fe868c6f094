"""Coefficients that change during training: linear, cyclic, switched."""

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_count, check_weight, init_arguments
from disentangle_tf.errors import UserError


def first_part(*, steps: int, parts: int) -> int:
  """Number of steps in the first of `parts` equal parts of a training, at least 1.

  A threshold or a schedule written this way in a gin file adapts to any number of
  steps.

  Args:
    steps: steps of the whole training.
    parts: number of equal parts.

  Returns:
    steps // parts, at least 1.

  Example:
    >>> from disentangle_tf import schedules
    >>> schedules.first_part(steps=1000, parts=3)
    333
  """
  check_count("first_part", steps=steps, parts=parts)
  return max(1, steps // parts)


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


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Switch(keras.optimizers.schedules.LearningRateSchedule):
  """0 before step `start`, then `value`: fine-tuning with a supervised loss.

  Args:
    value: the coefficient from step `start` on, from 0 up.
    start: first step with that value, from 1 up.

  Example:
    >>> from disentangle_tf import schedules
    >>> gamma = schedules.Switch(2.0, start=100)
    >>> int(gamma(99)), int(gamma(100))
    (0, 2)
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

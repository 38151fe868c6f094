"""Coefficients that change during training.

A model accepts any `keras.optimizers.schedules.LearningRateSchedule` as a weight. The
schedules here are those with which VAEs are annealed.
"""

from disentangle_tf.schedules.cyclic import Cyclic
from disentangle_tf.schedules.first_part import first_part
from disentangle_tf.schedules.linear import Linear
from disentangle_tf.schedules.switch import Switch

__all__ = ["Cyclic", "Linear", "Switch", "first_part"]

"""Coefficients that change during training.

Any `keras.optimizers.schedules.LearningRateSchedule` serves where a model takes a
weight; these are the ones that VAEs are annealed with.
"""

from disentangle_tf.schedules.cyclic import Cyclic
from disentangle_tf.schedules.first_part import first_part
from disentangle_tf.schedules.linear import Linear
from disentangle_tf.schedules.switch import Switch

__all__ = ["Cyclic", "Linear", "Switch", "first_part"]

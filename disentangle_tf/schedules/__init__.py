"""Coefficients that change during training.

A model accepts any `keras.optimizers.schedules.LearningRateSchedule` as a weight. The
schedules here are those with which VAEs are annealed.
"""

from disentangle_tf.schedules.coefficients import Cyclic, Linear, Switch, first_part

__all__ = ["Cyclic", "Linear", "Switch", "first_part"]

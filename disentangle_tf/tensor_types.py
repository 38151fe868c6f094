"""Types of annotations that TensorFlow and TensorFlow Probability do not declare."""

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

# tfp loads its modules lazily, which hides `tfp.distributions` from type checkers.
Distribution = Any
Tensor = tf.Tensor | np.ndarray
Coefficient = float | Callable[[Any], Any]  # a number, or a schedule of the step
# Images [batch, height, width, channels], a pair of them, a pair with labels, or one of
# these with labelled images: (batch, (images, labels)).
Batch = Any
Terms = dict[str, tf.Tensor]  # the named scalars whose sum is a loss

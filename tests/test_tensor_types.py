import numpy as np
import tensorflow as tf

from disentangle_tf.tensor_types import Tensor


def test_tensors_are_of_tensorflow_or_numpy():
  assert isinstance(tf.zeros(2), Tensor) and isinstance(np.zeros(2), Tensor)
  assert not isinstance([0.0, 0.0], Tensor)

import numpy as np

from disentangle_tf.studies.analyses import Curve


def test_models_of_all_points():
  assert Curve(np.arange(2.0), np.ones(2), np.array([3, 4])).n == 7

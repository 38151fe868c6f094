import dataclasses

import numpy as np
import pytest

from disentangle_tf.evaluation.observations import Observations


def test_there_are_as_many_as_points():
  seen = Observations(np.zeros((5, 2), np.int32), np.zeros((5, 3)))
  assert len(seen) == 5
  assert seen.log_variances is None and seen.reconstruct is None


def test_they_stay_as_they_are():
  seen = Observations(np.zeros((1, 2), np.int32), np.zeros((1, 3)))
  with pytest.raises(dataclasses.FrozenInstanceError):
    seen.codes = np.ones((1, 3))

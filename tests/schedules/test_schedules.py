import keras
import numpy as np
import pytest

from disentangle_tf import schedules
from disentangle_tf.errors import UserError


@pytest.mark.parametrize(
  ("schedule", "steps", "values"),
  [
    (schedules.Linear(1.0, 5.0, steps=8), [0, 2, 8, 99], [1.0, 2.0, 5.0, 5.0]),
    (schedules.Linear(5.0, 1.0, steps=8), [0, 2, 8], [5.0, 4.0, 1.0]),
    (
      schedules.Cyclic(0.0, 4.0, period=10, rise=0.5),
      [0, 1, 5, 9, 10, 13],
      [0.0, 0.8, 4.0, 4.0, 0.0, 2.4],
    ),
    (schedules.Switch(3.0, start=5), [0, 4, 5, 100], [0.0, 0.0, 3.0, 3.0]),
  ],
)
def test_values(schedule, steps, values):
  np.testing.assert_allclose([float(schedule(step)) for step in steps], values)
  config = keras.saving.serialize_keras_object(schedule)
  again = keras.saving.deserialize_keras_object(config)
  np.testing.assert_allclose([float(again(step)) for step in steps], values)


@pytest.mark.parametrize(
  ("make", "message"),
  [
    (lambda: schedules.Linear(0, -1, steps=3), "Linear.last is -1"),
    (lambda: schedules.Linear(0, 1, steps=0), "Linear.steps is 0"),
    (lambda: schedules.Cyclic(0, 1, period=10, rise=0), "Cyclic.rise is 0"),
    (lambda: schedules.Switch(1, start=0.5), "Switch.start is 0.5"),
  ],
)
def test_bad_settings(make, message):
  with pytest.raises(UserError, match=message):
    make()

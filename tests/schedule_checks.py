"""What every schedule promises."""

import keras
import numpy as np


def run_schedule_test(schedule, steps, values):
  """It has these values at these steps, and still has when it was saved and loaded."""
  np.testing.assert_allclose([float(schedule(step)) for step in steps], values)
  config = keras.saving.serialize_keras_object(schedule)
  again = keras.saving.deserialize_keras_object(config)
  np.testing.assert_allclose([float(again(step)) for step in steps], values)

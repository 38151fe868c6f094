import pytest
from schedule_checks import run_schedule_test

from disentangle_tf import schedules
from disentangle_tf.errors import UserError


def test_values():
  run_schedule_test(
    schedules.Cyclic(0.0, 4.0, period=10, rise=0.5),
    [0, 1, 5, 9, 10, 13],
    [0.0, 0.8, 4.0, 4.0, 0.0, 2.4],
  )


def test_a_rise_that_takes_the_whole_cycle():
  schedule = schedules.Cyclic(1.0, 3.0, period=4, rise=1.0)
  run_schedule_test(schedule, [0, 1, 3, 4, 7], [1.0, 1.5, 2.5, 1.0, 2.5])


def test_bad_settings():
  with pytest.raises(UserError, match="Cyclic.rise is 0"):
    schedules.Cyclic(0, 1, period=10, rise=0)

import pytest
from schedule_checks import run_schedule_test

from disentangle_tf import schedules
from disentangle_tf.errors import UserError


def test_values():
  schedule = schedules.Switch(3.0, start=5)
  run_schedule_test(schedule, [0, 4, 5, 100], [0.0, 0.0, 3.0, 3.0])


def test_bad_settings():
  with pytest.raises(UserError, match="Switch.start is 0.5"):
    schedules.Switch(1, start=0.5)

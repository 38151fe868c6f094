import pytest
from schedule_checks import run_schedule_test

from disentangle_tf import schedules
from disentangle_tf.errors import UserError


@pytest.mark.parametrize(
  ("schedule", "steps", "values"),
  [
    (schedules.Linear(1.0, 5.0, steps=8), [0, 2, 8, 99], [1.0, 2.0, 5.0, 5.0]),
    (schedules.Linear(5.0, 1.0, steps=8), [0, 2, 8], [5.0, 4.0, 1.0]),
  ],
)
def test_values(schedule, steps, values):
  run_schedule_test(schedule, steps, values)


@pytest.mark.parametrize(
  ("make", "message"),
  [
    (lambda: schedules.Linear(0, -1, steps=3), "Linear.last is -1"),
    (lambda: schedules.Linear(0, 1, steps=0), "Linear.steps is 0"),
  ],
)
def test_bad_settings(make, message):
  with pytest.raises(UserError, match=message):
    make()

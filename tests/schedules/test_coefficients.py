import pytest
from schedule_checks import run_schedule_test

from disentangle_tf import schedules
from disentangle_tf.errors import UserError
from disentangle_tf.schedules import first_part


@pytest.mark.parametrize(
  ("steps", "parts", "expected"),
  [(300_000, 3, 100_000), (4000, 3, 1333), (4000, 4, 1000), (2, 3, 1), (1, 1, 1)],
)
def test_is_a_part_of_the_steps(steps, parts, expected):
  assert first_part(steps=steps, parts=parts) == expected
  assert 1 <= expected <= steps


@pytest.mark.parametrize("wrong", [{"steps": 0}, {"parts": 0}, {"parts": 1.5}])
def test_what_is_no_number_of_steps(wrong):
  with pytest.raises(UserError, match="first_part"):
    first_part(**{"steps": 100, "parts": 3, **wrong})


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


def test_cyclic_values():
  run_schedule_test(
    schedules.Cyclic(0.0, 4.0, period=10, rise=0.5),
    [0, 1, 5, 9, 10, 13],
    [0.0, 0.8, 4.0, 4.0, 0.0, 2.4],
  )


def test_a_rise_that_takes_the_whole_cycle():
  schedule = schedules.Cyclic(1.0, 3.0, period=4, rise=1.0)
  run_schedule_test(schedule, [0, 1, 3, 4, 7], [1.0, 1.5, 2.5, 1.0, 2.5])


def test_cyclic_bad_settings():
  with pytest.raises(UserError, match="Cyclic.rise is 0"):
    schedules.Cyclic(0, 1, period=10, rise=0)


def test_switch_values():
  schedule = schedules.Switch(3.0, start=5)
  run_schedule_test(schedule, [0, 4, 5, 100], [0.0, 0.0, 3.0, 3.0])


def test_switch_bad_settings():
  with pytest.raises(UserError, match="Switch.start is 0.5"):
    schedules.Switch(1, start=0.5)

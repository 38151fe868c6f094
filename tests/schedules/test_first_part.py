import pytest

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

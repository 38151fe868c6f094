import pytest

from disentangle_tf.errors import ModelError, UserError, suggest


def test_a_models_fault_is_one_line_with_an_exit_code_of_its_own():
  assert isinstance(ModelError("refused"), UserError)
  assert ModelError("refused").exit_code == 3
  assert not hasattr(UserError("x"), "exit_code")  # the commands use 2


def test_a_mistake_of_the_user_is_a_value_error_with_its_message():
  with pytest.raises(ValueError, match="^beta is -1: set it higher$"):
    raise UserError("beta is -1: set it higher")


@pytest.mark.parametrize(
  ("name", "known", "answer"),
  [
    ("BETTA", ["ALPHA", "BETA"], "; did you mean 'BETA'?"),
    ("stepz", {"steps": 1, "seed": 2}, "; did you mean 'steps'?"),
    ("dsprits", ("dsprites", "xysquares"), "; did you mean 'dsprites'?"),
    ("nothing", ["ALPHA", "BETA"], ""),
    ("BETA", [], ""),
  ],
)
def test_the_nearest_name_is_suggested_if_one_is_near(name, known, answer):
  assert suggest(name, known) == answer

from disentangle_tf.errors import ModelError, UserError


def test_a_models_fault_is_one_line_with_an_exit_code_of_its_own():
  assert isinstance(ModelError("refused"), UserError)
  assert ModelError("refused").exit_code == 3
  assert not hasattr(UserError("x"), "exit_code")  # the commands say 2

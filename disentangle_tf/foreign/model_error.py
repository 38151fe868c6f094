"""What is wrong with a model, rather than with how the program was called."""

from disentangle_tf.errors import UserError


class ModelError(UserError):
  """A model that is refused, damaged, or misbehaves; commands exit with code 3."""

  exit_code = 3

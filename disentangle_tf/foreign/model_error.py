"""The error for a model that is refused, damaged, or misbehaves."""

from disentangle_tf.errors import UserError


class ModelError(UserError):
  """A model that is refused, damaged, or misbehaves; commands exit with code 3."""

  exit_code = 3

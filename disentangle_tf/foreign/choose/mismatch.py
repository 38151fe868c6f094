"""The error for a model that has no function for what is asked of it."""

from disentangle_tf.errors import UserError


def mismatch(problem, offers):
  """A `UserError` that says the problem, and what the model offers."""
  listed = " | ".join(map(str, offers))
  return UserError(f"{problem}; the model offers {listed}")

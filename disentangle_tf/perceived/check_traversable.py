"""The check that every factor of a data set can be traversed."""

from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.perceived.existing_traversals import ExistingTraversals


def check_traversable(data: GroundTruthData) -> None:
  """Raises a `UserError` unless each factor is known and changes by itself somewhere.

  Args:
    data: a `GroundTruthData`.
  """
  if not data.has_factors:
    raise UserError(f"{data.name} has no ground-truth factors")
  for factor in range(len(data.factors)):
    ExistingTraversals(data.factors, factor)  # which raises if there are none

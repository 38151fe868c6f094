"""Check that every factor of a data set can be traversed."""

from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.perceived.existing_traversals import ExistingTraversals


def check_traversable(data: GroundTruthData) -> None:
  """Raise a `UserError` unless each factor is known and varies alone somewhere.

  Args:
    data: a `GroundTruthData`.

  Raises:
    UserError: if the set has no ground-truth factors, or no two images differ in one of
      the factors alone.

  Example:
    >>> from disentangle_tf import data, perceived
    >>> perceived.check_traversable(data.XYSquares(num_squares=1, image_size=24))
  """
  if not data.has_factors:
    raise UserError(f"{data.name} has no ground-truth factors")
  for factor in range(len(data.factors)):
    ExistingTraversals(data.factors, factor)  # raises without one

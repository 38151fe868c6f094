"""The checks that a data set's images and its distances can be drawn."""

from disentangle_tf.errors import UserError

_MOST_VALUES = 256  # of a factor whose distances are drawn


def has_images(data):
  """Whether a set's observations are images, rather than points."""
  return len(data.observation_shape) == 3


def check_drawable(data, *, distances=False):
  """Raises a `UserError` that says why a set cannot be drawn.

  Args:
    data: a `GroundTruthData`.
    distances: whether a matrix of distances along every factor is to be drawn, rather
      than images alone.
  """
  if not has_images(data):
    raise UserError(f"{data.name} has no images")
  if distances:
    for name, size in zip(data.factors.names, data.factors.sizes, strict=True):
      if size > _MOST_VALUES:
        raise UserError(f"{name} has {size} values, more than {_MOST_VALUES}")

"""Checks that a data set's images and its distances can be drawn."""

from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError

_MOST_VALUES = 256  # of a factor whose distances are drawn


def has_images(data: GroundTruthData) -> bool:
  """Whether the observations of a data set are images rather than points.

  Args:
    data: a `GroundTruthData`.

  Returns:
    True for images [height, width, channels].

  Example:
    >>> from disentangle_tf import data, pictures
    >>> pictures.has_images(data.XYSquares()), pictures.has_images(data.Pinwheel())
    (True, False)
  """
  return len(data.observation_shape) == 3


def check_drawable(data: GroundTruthData, *, distances: bool = False) -> None:
  """Raise an error with the reason if a data set cannot be drawn.

  Args:
    data: a `GroundTruthData`.
    distances: whether a matrix of distances along every factor is to be drawn, rather
      than only images.

  Raises:
    UserError: the data set has no images, or a factor has too many values.

  Example:
    >>> from disentangle_tf import data, pictures
    >>> pictures.check_drawable(data.XYSquares(), distances=True)
    >>> pictures.check_drawable(data.Pinwheel())
    Traceback (most recent call last):
    disentangle_tf.errors.UserError: pinwheel has no images
  """
  if not has_images(data):
    raise UserError(f"{data.name} has no images")
  if distances:
    for name, size in zip(data.factors.names, data.factors.sizes, strict=True):
      if size > _MOST_VALUES:
        raise UserError(f"{name} has {size} values, more than {_MOST_VALUES}")

"""Which pictures can be drawn, and writing them."""

import math
import pathlib
from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_bytes

_MOST_ROWS = 32
_MOST_NUMBERS = 2**22  # in all images of a picture


def most_rows(image_shape: Sequence[int], columns: int) -> int:
  """How many rows of images a picture may have: at most 32, fewer of large images.

  Args:
    image_shape: (height, width, channels).
    columns: images per row.

  Returns:
    At least 1.

  Example:
    >>> from disentangle_tf import pictures
    >>> pictures.most_rows((64, 64, 3), 9), pictures.most_rows((512, 512, 3), 9)
    (32, 1)
  """
  numbers = columns * math.prod(image_shape)
  return min(max(_MOST_NUMBERS // numbers, 1), _MOST_ROWS)


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


Picture = bytes | np.ndarray | mpl_figure.Figure

_SIDE = 64  # pixels that a small image is enlarged to


def write_pictures(
  folder: pathlib.Path, pictures: Iterable[tuple[str, Picture]]
) -> list[str]:
  """Write each picture as name.gif, as name.png, or as name.png and name.svg.

  Args:
    folder: a `pathlib.Path` of a folder that exists.
    pictures: (name, picture) of each. A picture is the bytes of a GIF, images
      [rows, columns, height, width, channels], or a matplotlib Figure.

  Returns:
    Names of the files, without those of the SVGs.

  Example:
    >>> import pathlib
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> images = np.zeros([2, 3, 8, 8, 1])
    >>> pictures.write_pictures(pathlib.Path(), [("samples", images)])
    ['samples.png']
  """
  return [_write(folder, name, picture) for name, picture in pictures]


def _write(folder: pathlib.Path, name: str, picture: Picture) -> str:
  if isinstance(picture, bytes):
    write_bytes(folder / f"{name}.gif", picture)
    return f"{name}.gif"
  if isinstance(picture, np.ndarray):
    scale = max(1, _SIDE // picture.shape[2])
    grid = plots.image_grid(picture, scale=scale, padding=2)
    write_bytes(folder / f"{name}.png", plots.picture_to_png(grid))
  else:
    plots.save_figure(picture, folder / name)
  return f"{name}.png"

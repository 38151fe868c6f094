"""Writes pictures of any kind as files."""

import pathlib
from collections.abc import Iterable

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.output_files import write_bytes

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

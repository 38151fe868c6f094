"""Figures and images as PNG and GIF bytes."""

import io
import os
import pathlib
from collections.abc import Iterable

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib import image
from PIL import Image

from disentangle_tf.output_files import whole_file
from disentangle_tf.plots.image_grids import image_grid


def picture_to_png(picture: np.ndarray) -> bytes:
  """Bytes of a PNG file of a picture, pixel for pixel.

  Args:
    picture: [height, width, 3] in [0, 1].

  Returns:
    The content of the file.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> plots.picture_to_png(np.zeros([2, 2, 3]))[1:4]
    b'PNG'
  """
  stream = io.BytesIO()
  image.imsave(stream, picture, format="png")
  return stream.getvalue()


def figure_to_png(figure: mpl_figure.Figure, *, dpi: int = 150) -> bytes:
  """Bytes of a PNG file of a figure.

  Args:
    figure: a matplotlib Figure.
    dpi: pixels per inch.

  Returns:
    The content of the file.

  Example:
    >>> from disentangle_tf import plots
    >>> figure = plots.cumulative_figure({"x": [0.1, 0.4]})
    >>> plots.figure_to_png(figure)[1:4]
    b'PNG'
  """
  stream = io.BytesIO()
  figure.savefig(stream, format="png", dpi=dpi)
  return stream.getvalue()


def save_figure(figure: mpl_figure.Figure, path: str | os.PathLike) -> None:
  """Write a figure as `path`.png and `path`.svg.

  Args:
    figure: a matplotlib Figure.
    path: the files' name without the ending.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import plots
    >>> plots.save_figure(plots.cumulative_figure({"x": [0.1, 0.4]}), "distances")
    >>> sorted(path.name for path in pathlib.Path().iterdir())
    ['distances.png', 'distances.svg']
  """
  path = pathlib.Path(path)
  for suffix in ("png", "svg"):
    with whole_file(path.with_name(f"{path.name}.{suffix}")) as temporary:
      figure.savefig(temporary, format=suffix, dpi=300, bbox_inches="tight")


def pictures_to_gif(
  pictures: Iterable[np.ndarray], *, milliseconds: int = 120
) -> bytes:
  """Bytes of a GIF file that plays pictures forwards, then backwards.

  Args:
    pictures: arrays [height, width, 3] in [0, 1], one per frame.
    milliseconds: how long each frame is shown.

  Returns:
    The content of the file.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> plots.pictures_to_gif([np.zeros([2, 2, 3]), np.ones([2, 2, 3])])[:6]
    b'GIF89a'
  """
  frames = [
    Image.fromarray(np.rint(255 * np.clip(picture, 0, 1)).astype(np.uint8))
    for picture in pictures
  ]
  frames += frames[-2:0:-1]
  stream = io.BytesIO()
  frames[0].save(
    stream,
    format="GIF",
    save_all=True,
    append_images=frames[1:],
    duration=milliseconds,
    loop=0,
  )
  return stream.getvalue()


def traversals_to_gif(images: np.ndarray) -> bytes:
  """Bytes of a GIF file of traversals: each frame shows one value of every row.

  Args:
    images: [rows, values, height, width, channels] in [0, 1].

  Returns:
    The content of the file. Small images are enlarged to about 64 pixels.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> plots.traversals_to_gif(np.zeros([2, 3, 8, 8, 1]))[:6]
    b'GIF89a'
  """
  scale = max(1, 64 // images.shape[2])
  frames = np.moveaxis(images, 1, 0)
  return pictures_to_gif([image_grid(frame[None], scale=scale) for frame in frames])

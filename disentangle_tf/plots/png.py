"""Pictures and figures as PNG bytes, and as files."""

import io
import os
import pathlib

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib import image

from disentangle_tf.output_files import whole_file


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

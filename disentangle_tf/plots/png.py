"""Pictures and figures as PNG bytes."""

import io

from matplotlib import image


def picture_to_png(picture):
  """PNG bytes of a [height, width, 3] array in [0, 1], pixel for pixel."""
  stream = io.BytesIO()
  image.imsave(stream, picture, format="png")
  return stream.getvalue()


def figure_to_png(figure, *, dpi=150):
  """PNG bytes of a matplotlib figure."""
  stream = io.BytesIO()
  figure.savefig(stream, format="png", dpi=dpi)
  return stream.getvalue()

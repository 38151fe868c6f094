"""Pictures and figures as PNG bytes, and as files."""

import io

from matplotlib import image

from disentangle_tf.output_files import whole_file


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


def save_figure(figure, path):
  """Writes a figure as `path`.png and `path`.svg."""
  for suffix in ("png", "svg"):
    with whole_file(path.with_name(f"{path.name}.{suffix}")) as temporary:
      figure.savefig(temporary, format=suffix, dpi=300, bbox_inches="tight")

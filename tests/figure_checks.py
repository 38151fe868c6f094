"""What a figure or a picture on disk shows, to be compared with what it should."""

import io

import numpy as np
from PIL import Image


def read_png(source):
  """Pixels [height, width, 3] in [0, 1] of a file or of PNG bytes."""
  stream = io.BytesIO(source) if isinstance(source, bytes) else source
  with Image.open(stream) as picture:
    assert picture.format == "PNG"
    return np.asarray(picture.convert("RGB")) / 255


def read_gif(source):
  """Pixels [frames, height, width, 3] in [0, 1] of a file or of GIF bytes."""
  stream = io.BytesIO(source) if isinstance(source, bytes) else source
  frames = []
  with Image.open(stream) as gif:
    assert gif.format == "GIF"
    for frame in range(gif.n_frames):
      gif.seek(frame)
      frames.append(np.asarray(gif.convert("RGB")) / 255)
  return np.stack(frames)


def row_labels(axis):
  """The texts beside an axis, from the first row on."""
  return [label.get_text() for label in axis.get_yticklabels()]


def column_labels(axis):
  """The texts below an axis, from left to right."""
  return [label.get_text() for label in axis.get_xticklabels()]


def drawn_matrix(axis):
  """The array that `imshow` was given; what is masked is NaN."""
  return np.ma.filled(axis.images[0].get_array().astype(float), np.nan)


def assert_shows(source, colours):
  """A PNG has every one of the colours, each (red, green, blue) in [0, 1]."""
  pixels = read_png(source).reshape(-1, 3)
  for colour in colours:
    assert (np.abs(pixels - colour).max(axis=1) < 3 / 255).any(), colour


def assert_shows_scale(source):
  """A PNG has the darkest and the brightest colour of viridis: a whole matrix."""
  assert_shows(
    source, [(68 / 255, 1 / 255, 84 / 255), (253 / 255, 231 / 255, 37 / 255)]
  )

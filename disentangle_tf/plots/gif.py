"""Moving pictures as GIF bytes."""

import io

import numpy as np
from PIL import Image

from disentangle_tf.plots.image_grid import image_grid


def pictures_to_gif(pictures, *, milliseconds=120):
  """GIF bytes of [frames, height, width, 3] arrays in [0, 1], there and back."""
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


def traversals_to_gif(images):
  """GIF bytes of traversals [rows, values, height, width, channels], all at a time."""
  scale = max(1, 64 // images.shape[2])
  frames = np.moveaxis(images, 1, 0)
  return pictures_to_gif([image_grid(frame[None], scale=scale) for frame in frames])

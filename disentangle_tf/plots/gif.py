"""Moving pictures as the bytes of GIF files."""

import io
from collections.abc import Iterable

import numpy as np
from PIL import Image

from disentangle_tf.plots.image_grid import image_grid


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

"""Converts images from grey to colour and from colour to grey."""

import numpy as np

OTHER_CHANNELS = {1: 3, 3: 1}
_LUMINANCE = np.array([0.299, 0.587, 0.114], np.float32)  # ITU-R BT.601


def with_channels(images: np.ndarray, channels: int) -> np.ndarray:
  """Convert images [..., C] to a number of channels.

  One channel is repeated to three; three become one by their luminance.
  """
  given = images.shape[-1]
  if given == channels:
    return images
  if (given, channels) == (1, 3):
    return np.repeat(images, 3, axis=-1)
  return (images @ _LUMINANCE)[..., None]

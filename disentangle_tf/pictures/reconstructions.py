"""Images above their reconstructions."""

import numpy as np

from disentangle_tf.askable_model import AskableModel


def reconstructions(model: AskableModel, images: np.ndarray) -> np.ndarray:
  """Two rows: images, and below them their reconstructions.

  Args:
    model: an `AskableModel` that `can_reconstruct`.
    images: [N, height, width, channels] in [0, 1].

  Returns:
    [2, N, height, width, channels].

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> class Darker:  # any model with this method
    ...   def reconstruct(self, images):
    ...     return images / 2
    >>> pictures.reconstructions(Darker(), np.ones([3, 4, 4, 1]))[:, 0, 0, 0, 0]
    array([1. , 0.5])
  """
  return np.stack([images, model.reconstruct(images)])

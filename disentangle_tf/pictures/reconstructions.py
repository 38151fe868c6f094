"""Images above their reconstructions."""

import numpy as np


def reconstructions(model, images):
  """Two rows, images above what a model gives back: [2, N, H, W, C].

  Args:
    model: an `AskableModel` that `can_reconstruct`.
    images: [N, H, W, C] in [0, 1].
  """
  return np.stack([images, model.reconstruct(images)])

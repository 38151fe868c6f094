"""Images decoded from codes of the standard normal distribution."""

import numpy as np

from disentangle_tf.askable_model import AskableModel


def samples(
  model: AskableModel, rng: np.random.Generator, *, rows: int, columns: int
) -> np.ndarray:
  """Images that a model decodes from codes of the standard normal distribution.

  Args:
    model: an `AskableModel` that `can_decode`.
    rng: a `numpy.random.Generator`.
    rows: how many rows of images.
    columns: images per row.

  Returns:
    [rows, columns, height, width, channels].

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> class Grey:  # any model with these members
    ...   num_latents = 2
    ...   def decode(self, codes):
    ...     return np.full([len(codes), 4, 4, 1], 0.5)
    >>> pictures.samples(Grey(), np.random.default_rng(0), rows=2, columns=3).shape
    (2, 3, 4, 4, 1)
  """
  images = model.decode(rng.normal(size=(rows * columns, model.num_latents)))
  return images.reshape(rows, columns, *images.shape[1:])

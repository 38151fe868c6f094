"""A manipulation drawn by dense layers, for small data sets."""

from __future__ import annotations

from collections.abc import Sequence

from disentangle_tf.adversary.manipulation import Manipulation
from disentangle_tf.networks import mlp_decoder


def mlp_manipulation(
  image_shape: tuple[int, int, int],
  num_factors: int,
  *,
  units: Sequence[int] = (128, 128),
  units_before: Sequence[int] = (),
) -> Manipulation:
  """Make the `Manipulation` that draws with dense layers (ReLU).

  Args:
    image_shape: (height, width, channels).
    num_factors: number of factors of the data set.
    units: sizes of the layers between the scalar and the change.
    units_before: as for `Manipulation`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import adversary
    >>> manipulation = adversary.mlp_manipulation((8, 8, 1), num_factors=3, units=(16,))
    >>> manipulation(np.zeros((2, 3), np.float32)).shape
    TensorShape([2, 8, 8, 1])
  """
  picture = mlp_decoder(image_shape, latents=1, units=units)
  return Manipulation(picture, num_factors=num_factors, units_before=units_before)

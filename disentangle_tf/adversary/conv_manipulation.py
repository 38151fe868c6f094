"""A manipulation drawn by transposed convolutions, as in the paper."""

from __future__ import annotations

from collections.abc import Sequence

from disentangle_tf.adversary.manipulation import Manipulation
from disentangle_tf.networks import conv_decoder


def conv_manipulation(
  image_shape: tuple[int, int, int],
  num_factors: int,
  *,
  units_before: Sequence[int] = (),
) -> Manipulation:
  """Make the `Manipulation` that draws with disentanglement_lib's decoder.

  Args:
    image_shape: (height, width, channels).
    num_factors: number of factors of the data set.
    units_before: as for `Manipulation`.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", appendix B.1.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import adversary
    >>> manipulation = adversary.conv_manipulation((64, 64, 1), num_factors=3)
    >>> manipulation(np.zeros((2, 3), np.float32)).shape
    TensorShape([2, 64, 64, 1])
  """
  picture = conv_decoder(image_shape, latents=1)
  return Manipulation(picture, num_factors=num_factors, units_before=units_before)

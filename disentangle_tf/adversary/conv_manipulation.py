"""A manipulation drawn by transposed convolutions: the paper's."""

from disentangle_tf.adversary.manipulation import Manipulation
from disentangle_tf.networks import conv_decoder


def conv_manipulation(image_shape, num_factors, *, units_before=()):
  """The `Manipulation` whose pictures come from disentanglement_lib's decoder.

  Args:
    image_shape: (height, width, channels).
    num_factors: how many factors there are.
    units_before: as of `Manipulation`.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", appendix B.1.
  """
  picture = conv_decoder(image_shape, latents=1)
  return Manipulation(picture, num_factors=num_factors, units_before=units_before)

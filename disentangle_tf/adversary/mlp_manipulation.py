"""A manipulation drawn by dense layers, for small worlds."""

from disentangle_tf.adversary.manipulation import Manipulation
from disentangle_tf.networks import mlp_decoder


def mlp_manipulation(image_shape, num_factors, *, units=(128, 128), units_before=()):
  """The `Manipulation` whose pictures come from dense layers (ReLU).

  Args:
    image_shape: (height, width, channels).
    num_factors: how many factors there are.
    units: sizes of the layers between the scalar and the picture.
    units_before: as of `Manipulation`.
  """
  picture = mlp_decoder(image_shape, latents=1, units=units)
  return Manipulation(picture, num_factors=num_factors, units_before=units_before)

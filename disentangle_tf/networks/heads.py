"""The last layer of every encoder: means and log-variances."""

import keras
from keras import layers

from disentangle_tf.argument_checks import check_count
from disentangle_tf.networks.parts import Initializer
from disentangle_tf.networks.shared_vector import SharedVector


def gaussian_head(
  features: keras.KerasTensor,
  *,
  latents: int,
  kernel_initializer: Initializer,
  constant_variance: bool = False,
) -> keras.KerasTensor:
  """Means, then log-variances, one dense layer each: [batch, 2 * latents].

  With `constant_variance` the log-variances are free parameters, one per latent, that
  do not depend on the image.
  """
  check_count("encoder", latents=latents)

  def dense(name: str) -> layers.Dense:
    return layers.Dense(
      latents, kernel_initializer=kernel_initializer, dtype="float32", name=name
    )

  mean = dense("mean")
  log_variance = (
    SharedVector(latents, dtype="float32", name="log_variance")
    if constant_variance
    else dense("log_variance")
  )
  both = [mean(features), log_variance(features)]
  return layers.Concatenate(dtype="float32", name="gaussian")(both)

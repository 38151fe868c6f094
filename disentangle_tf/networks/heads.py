"""The last layer of every encoder: means and log-variances."""

from keras import layers

from disentangle_tf.argument_checks import check_count
from disentangle_tf.networks.shared_vector import SharedVector


def gaussian_head(features, *, latents, kernel_initializer, constant_variance=False):
  """[batch, 2 * latents]: means, then log-variances, from one dense layer each.

  With `constant_variance` the log-variances are free parameters, one per latent, that
  do not depend on the image.
  """
  check_count("encoder", latents=latents)

  def dense(name):
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

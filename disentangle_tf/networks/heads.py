"""The last layer that every encoder shares."""

from keras import layers

from disentangle_tf.configuration import check_count


def gaussian_head(features, *, latents, kernel_initializer):
  """[batch, 2 * latents]: means, then log-variances, from one dense layer each."""
  check_count("encoder", latents=latents)
  heads = [
    layers.Dense(
      latents, kernel_initializer=kernel_initializer, dtype="float32", name=name
    )(features)
    for name in ("mean", "log_variance")
  ]
  return layers.Concatenate(dtype="float32", name="gaussian")(heads)

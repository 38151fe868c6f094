"""The figure of latent traversals: one row per latent."""

from disentangle_tf import plots
from disentangle_tf.pictures.latent_traversal import latent_traversal, traversal_values


def latents_figure(decode, codes, order, kind):
  """The latents `order`, each moved from the first of the `codes` on.

  Args:
    decode: as of `latent_traversal`.
    codes, kind: as of `traversal_values`.
    order: latents, one per row.

  Returns:
    A matplotlib Figure.
  """
  values = traversal_values(kind, codes)
  images = latent_traversal(decode, codes[0], values=values, latents=list(order))
  return plots.traversals_figure(images, [f"latent {latent}" for latent in order])

"""The figure of planes of two latents, of one model or of several."""

from disentangle_tf import plots
from disentangle_tf.pictures.latent_plane import latent_plane
from disentangle_tf.pictures.latent_traversal import traversal_values

PLANE_VALUES = 7  # of each latent


def latent_plane_figure(planes, *, kind="range", caption=""):
  """One panel per model, the first latent moving across and the second upwards.

  Args:
    planes: {title: (decode, codes [points, latents], two latents)}; the other latents
      stay where the first of the codes has them.
    kind: of the values, as of `traversal_values`.
    caption: a line or two below the figure.

  Returns:
    A matplotlib Figure.
  """
  panels, across, upwards = {}, {}, {}
  for title, (decode, codes, latents) in planes.items():
    values = traversal_values(kind, codes, PLANE_VALUES)
    images = latent_plane(decode, codes[0], latents, values=values)
    panels[title] = plots.image_grid(images, padding=max(1, images.shape[2] // 32))
    across[title], upwards[title] = (f"latent {latent}" for latent in latents)
  return plots.picture_grid_figure(
    panels, x_labels=across, y_labels=upwards, caption=caption
  )

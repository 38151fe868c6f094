"""The figure of planes of two latents, of one model or of several."""

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.pictures.latent_plane import latent_plane
from disentangle_tf.pictures.latent_traversal import traversal_values
from disentangle_tf.plots.panel_grid import Key

PLANE_VALUES = 7  # of each latent


def latent_plane_figure(
  planes: Mapping[
    Key,
    tuple[Callable[[np.ndarray], np.ndarray], np.ndarray, tuple[int, int]],
  ],
  *,
  kind: str = "range",
  caption: str = "",
) -> mpl_figure.Figure:
  """Planes of two latents, one panel per model.

  The first latent moves across and the second upwards. The other latents keep the
  values of the first code.

  Args:
    planes: {title: (decode, codes [points, latents], (first, second latent))}; decode
      maps codes [N, latents] to images [N, height, width, channels].
    kind: which values the latents take, see `traversal_values`.
    caption: a line or two below the figure.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> def decode(codes):
    ...   return np.zeros([len(codes), 4, 4, 1])
    >>> plane = (decode, np.array([[0.0, 0.0], [1.0, 2.0]]), (1, 0))
    >>> figure = pictures.latent_plane_figure({"beta_vae": plane})
    >>> figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()
    ('latent 1 →', 'latent 0 →')
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

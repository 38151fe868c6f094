"""The figure of latent traversals: one row per latent."""

from collections.abc import Callable, Iterable

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.pictures.latent_traversal import latent_traversal, traversal_values


def latents_figure(
  decode: Callable[[np.ndarray], np.ndarray],
  codes: np.ndarray,
  order: Iterable[int],
  kind: str,
) -> mpl_figure.Figure:
  """Latent traversals, one row per latent, starting from the first code.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    codes: [points, latents] of some images.
    order: numbers of the latents to move, one per row.
    kind: which values the latents take, see `traversal_values`.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> def decode(codes):
    ...   return np.zeros([len(codes), 4, 4, 1])
    >>> codes = np.array([[0.0, 0.0], [1.0, 2.0]])
    >>> figure = pictures.latents_figure(decode, codes, [1, 0], "range")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['latent 1', 'latent 0']
  """
  values = traversal_values(kind, codes)
  images = latent_traversal(decode, codes[0], values=values, latents=list(order))
  return plots.traversals_figure(images, [f"latent {latent}" for latent in order])

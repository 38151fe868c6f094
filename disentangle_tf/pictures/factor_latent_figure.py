"""The figure of what each latent knows of each factor: heat-maps."""

from collections.abc import Sequence

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.latent_use import dead_latents, most_used_first
from disentangle_tf.pictures.factor_latent_matrices import factor_latent_matrices
from disentangle_tf.strangers_text import printable

MOST_LATENTS = 64
MOST_FACTORS = 40
_LONGEST_NAME = 40


def factor_latent_figure(
  codes: np.ndarray,
  log_variances: np.ndarray | None,
  factors: np.ndarray,
  names: Sequence[str],
) -> mpl_figure.Figure:
  """Heat-maps of latents against factors, most active latents first, dead ones grey.

  At most 64 latents and 40 factors are shown.

  Args:
    codes: [points, latents], the means of the posteriors.
    log_variances: [points, latents] of the posteriors, or None.
    factors: [points, factors].
    names: one for each factor.

  Returns:
    A matplotlib Figure with a panel for each of the `factor_latent_matrices`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> factors = np.arange(32).reshape(16, 2) % 4
    >>> codes = factors[:, ::-1] + 0.5
    >>> figure = pictures.factor_latent_figure(codes, None, factors, ["x", "y"])
    >>> [axis.get_title() for axis in figure.axes]
    ['mutual information', 'correlation', 'importance', 'accuracy']
  """
  order = most_used_first(codes, log_variances)[:MOST_LATENTS]
  dead = np.flatnonzero(dead_latents(codes, log_variances))
  return plots.heat_maps_figure(
    factor_latent_matrices(codes[:, order], factors[:, :MOST_FACTORS]),
    [printable(name, longest=_LONGEST_NAME) for name in names[:MOST_FACTORS]],
    latents=order.tolist(),
    dead=np.intersect1d(dead, order).tolist(),
  )

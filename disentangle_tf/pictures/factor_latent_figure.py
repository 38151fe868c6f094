"""The figure of what each latent knows of each factor: heat-maps."""

import numpy as np

from disentangle_tf import plots
from disentangle_tf.latent_use import dead_latents, most_used_first
from disentangle_tf.pictures.factor_latent_matrices import factor_latent_matrices
from disentangle_tf.strangers_text import printable

MOST_LATENTS = 64
MOST_FACTORS = 40
_LONGEST_NAME = 40


def factor_latent_figure(codes, log_variances, factors, names):
  """Heat-maps, the latents that are most used first, dead ones grey.

  Of very many latents and factors only some are shown.

  Args:
    codes: [points, latents].
    log_variances: the same, or None.
    factors: [points, factors].
    names: one for each factor.

  Returns:
    A matplotlib Figure.
  """
  order = most_used_first(codes, log_variances)[:MOST_LATENTS]
  dead = np.flatnonzero(dead_latents(codes, log_variances))
  return plots.heat_maps_figure(
    factor_latent_matrices(codes[:, order], factors[:, :MOST_FACTORS]),
    [printable(name, longest=_LONGEST_NAME) for name in names[:MOST_FACTORS]],
    latents=order.tolist(),
    dead=np.intersect1d(dead, order).tolist(),
  )

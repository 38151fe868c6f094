"""What each latent knows about each factor."""

from collections.abc import Sequence

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf import metrics, plots
from disentangle_tf.latent_use import dead_latents, most_used_first
from disentangle_tf.metrics._mcc import correlation_matrix
from disentangle_tf.metrics.parts.information import mutual_information_matrix
from disentangle_tf.text import printable


def factor_latent_matrices(
  codes: np.ndarray, factors: np.ndarray
) -> dict[str, np.ndarray]:
  """Four measures of what each latent knows of each factor.

  Args:
    codes: [points, latents].
    factors: [points, factors].

  Returns:
    {title: [latents, factors]}: mutual information in nats, absolute correlation,
    importance in a random forest, and the accuracy of one latent on a held-out third of
    the points.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> factors = np.stack([np.arange(24) % 2, np.arange(24) // 2 % 2], axis=1)
    >>> found = pictures.factor_latent_matrices(factors + 0.5, factors)
    >>> found["correlation"].round(2)
    array([[1., 0.],
           [0., 1.]])
  """
  kept = 2 * len(codes) // 3
  splits = codes[:kept], factors[:kept], codes[kept:], factors[kept:]
  return {
    "mutual information": mutual_information_matrix(codes, factors, num_bins=20),
    "correlation": np.abs(correlation_matrix(codes, factors)),
    "importance": metrics.dci_importance(codes, factors, predictor="random_forest"),
    "accuracy": metrics.sap_matrix(*splits),
  }


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

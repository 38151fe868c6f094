"""Two latents at a time: codes and decoded images in a plane."""

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib import figure as mpl_figure
from numpy import typing as npt
from scipy import optimize

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.latent_use import is_deterministic, most_used_first
from disentangle_tf.metrics.parts.information import mutual_information_matrix
from disentangle_tf.pictures.latent_traversals import traversal_values
from disentangle_tf.plots.panel_grid import Key

_NUM_BINS = 20


def latent_plane(
  decode: Callable[[np.ndarray], npt.ArrayLike],
  code: npt.ArrayLike,
  latents: tuple[int, int],
  *,
  values: np.ndarray,
) -> np.ndarray:
  """Images with two latents moved at once: figures 10 and 11 of Zietlow et al. 2021.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    code: [latents], the values of the other latents.
    latents: the one that moves across, and the one that moves upwards.
    values: [latents, num_values] to move through, see `traversal_values`.

  Returns:
    [num_values, num_values, height, width, channels], with the highest value of the
    second latent in the first row.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> def decode(codes):
    ...   return codes[:, None, None, :]  # one pixel per image, one channel per latent
    >>> values = np.array([[0, 1], [2, 3], [4, 5]])
    >>> images = pictures.latent_plane(decode, [9, 9, 9], (0, 2), values=values)
    >>> images[0, :, 0, 0]
    array([[0., 9., 5.],
           [1., 9., 5.]], dtype=float32)
  """
  across, upwards = latents
  num_values = values.shape[1]
  codes = np.tile(np.asarray(code, np.float32), (num_values, num_values, 1))
  codes[:, :, across] = values[across]
  codes[:, :, upwards] = values[upwards][::-1, None]
  images = np.asarray(decode(codes.reshape(-1, codes.shape[2])))
  return images.reshape(num_values, num_values, *images.shape[1:])


def plane_latents(
  codes: np.ndarray,
  log_variances: np.ndarray | None,
  factors: np.ndarray | None = None,
) -> tuple[int, int]:
  """Choose the two latents of a `latent_plane`.

  Args:
    codes: [points, latents], the means of the posteriors.
    log_variances: [points, latents] of the posteriors, or None.
    factors: [points, 2] of two factors: choose for each factor its own latent, so that
      together they share the most information with the factors. None: choose the two
      latents with the smallest mean posterior variance or, without variances, with the
      largest spread.

  Returns:
    Numbers of the two latents.

  Raises:
    UserError: the model has only one latent.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> codes = np.array([[0.0, 1.0, 2.0], [0.0, -1.0, -2.0]])
    >>> pictures.plane_latents(codes, None)
    (2, 1)
  """
  if codes.shape[1] < 2:
    raise UserError("a plane needs two latents, but the model has one")
  if factors is not None:
    information = mutual_information_matrix(codes, factors, num_bins=_NUM_BINS)
    latents, of_factors = optimize.linear_sum_assignment(information, maximize=True)
    return tuple(latents[np.argsort(of_factors)].tolist())
  if log_variances is None or is_deterministic(log_variances):
    return tuple(most_used_first(codes, log_variances)[:2].tolist())
  variances = np.exp(np.asarray(log_variances, np.float64)).mean(axis=0)
  return tuple(np.argsort(variances, kind="stable")[:2].tolist())


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

"""Images of a plane of the latent space: two latents change at a time."""

from collections.abc import Callable

import numpy as np
from numpy import typing as npt
from scipy import optimize

from disentangle_tf.errors import UserError
from disentangle_tf.latent_use import is_deterministic, most_used_first
from disentangle_tf.metrics.parts.information import mutual_information_matrix

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

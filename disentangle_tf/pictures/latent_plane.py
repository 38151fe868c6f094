"""Two latents at a time: what a plane of the latent space is decoded to."""

import numpy as np
from scipy import optimize

from disentangle_tf.errors import UserError
from disentangle_tf.latent_use import is_deterministic, most_used_first
from disentangle_tf.metrics.parts.information import mutual_information_matrix

_NUM_BINS = 20


def latent_plane(decode, code, latents, *, values):
  """Images with two latents moved at once: figures 10 and 11 of Zietlow et al. 2021.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    code: [latents], where the others stay.
    latents: the one that moves across, and the one that moves upwards.
    values: [latents, num_values], as of `traversal_values`.

  Returns:
    [num_values, num_values, height, width, channels], the highest value of the second
    latent in the first row.
  """
  across, upwards = latents
  num_values = values.shape[1]
  codes = np.tile(np.asarray(code, np.float32), (num_values, num_values, 1))
  codes[:, :, across] = values[across]
  codes[:, :, upwards] = values[upwards][::-1, None]
  images = np.asarray(decode(codes.reshape(-1, codes.shape[2])))
  return images.reshape(num_values, num_values, *images.shape[1:])


def plane_latents(codes, log_variances, factors=None):
  """Two latents worth looking at together.

  Args:
    codes: [points, latents].
    log_variances: the same, or None.
    factors: [points, 2] of two factors: those two latents, one for each, that share the
      most information with them. None: the two with the least mean posterior variance,
      or where there is none, those whose codes spread the most.

  Returns:
    Two positions.
  """
  if codes.shape[1] < 2:
    raise UserError("a plane takes two latents, the model has one")
  if factors is not None:
    information = mutual_information_matrix(codes, factors, num_bins=_NUM_BINS)
    latents, of_factors = optimize.linear_sum_assignment(information, maximize=True)
    return tuple(latents[np.argsort(of_factors)].tolist())
  if log_variances is None or is_deterministic(log_variances):
    return tuple(most_used_first(codes, log_variances)[:2].tolist())
  variances = np.exp(np.asarray(log_variances, np.float64)).mean(axis=0)
  return tuple(np.argsort(variances, kind="stable")[:2].tolist())

"""What each latent knows of each factor, in four ways."""

import numpy as np

from disentangle_tf import metrics
from disentangle_tf.metrics.mcc import correlation_matrix
from disentangle_tf.metrics.parts.information import mutual_information_matrix


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

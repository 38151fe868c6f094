"""Modularity: does each latent encode one factor at most (Ridgeway & Mozer 2018)."""

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.metrics.parts import information
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.points import discrete_points


@higher_is_better("modularity")
def modularity(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int = 20
) -> dict[str, float]:
  """Mean over latents of how far each is informative about one factor only.

  The squared information of a latent about all factors but its best one is compared
  with the value it would have if the latent were equally informative about all factors.

  Args:
    codes: `[points, latents]` representation means.
    factors: `[points, factors]` ground-truth factors.
    num_bins: equal-width bins per latent, over its own range. Also per factor, if it
      has more values than this and not all are whole numbers.

  Returns:
    `{"modularity": float}` in [0, 1], higher is better. Redundant latents do not lower
    it. The score of a random code reflects estimation bias only: 0.5 to 0.7 on
    dSprites' factors. A latent without information, such as a constant one, counts as
    0, as in disentanglement_lib. Factors with a single value are left out
    (disentanglement_lib counts them, which raises the score). With one factor left, a
    latent that is informative about it counts as 1.

  Needs labels. Usually 10,000 points. Cost: as MIG; 10,000 points take about 0.02 s.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((4, 4)).reshape(2, -1).T
    >>> metrics.modularity(factors, factors)  # perfect codes
    {'modularity': 1.0}
    >>> mixed = factors[:, :1] * 4 + factors[:, 1:]  # one latent encodes both factors
    >>> round(metrics.modularity(mixed, factors)["modularity"], 6)
    0.0

  Reference: Ridgeway & Mozer 2018, "Learning Deep Disentangled Embeddings With the
  F-Statistic Loss"; discrete estimator of Locatello et al. 2019, Appendix B.
  """
  check_count("modularity", num_bins=num_bins)
  codes, factors = discrete_points(codes, factors, num_bins=num_bins)
  gains = information.mutual_information_matrix(codes, factors, num_bins=num_bins)
  return {"modularity": float(latent_modularity(gains).mean())}


def latent_modularity(matrix: np.ndarray) -> np.ndarray:
  """Modularity of each latent, from a non-negative matrix `[latents, factors]`."""
  squares = np.square(matrix)
  largest = squares.max(axis=1)
  informed = largest > 0
  others = (squares.sum(axis=1) - largest)[informed]
  if_equal = largest[informed] * max(squares.shape[1] - 1, 1)
  scores = np.zeros(len(squares))
  scores[informed] = 1 - others / if_equal
  return scores

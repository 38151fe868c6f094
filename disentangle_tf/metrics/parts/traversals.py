"""Factor traversals: codes along the values of one factor, the others held fixed."""

import numpy as np

from disentangle_tf.metrics.parts.interventions import CodesOf, Space, checked_codes


def traversal_codes(
  space: Space,
  codes_of: CodesOf,
  factor: int | np.integer,
  num_traversals: int,
  rng: np.random.Generator,
) -> list[np.ndarray]:
  """Codes of `num_traversals` random walks through all values of one `factor`.

  Args:
    space: a `FactorSpace`.
    codes_of: function from factors `[points, factors]` to codes `[points, latents]`.
    factor: position of the factor that varies.
    num_traversals: number of walks, each through a random point.
    rng: draws the points.

  Returns:
    float64 arrays `[traversals, points, latents]`, one per number of points. There is a
    single array unless some combinations of factors do not exist. Walks of a single
    point are then left out if there are longer ones.
  """
  starts = space.draw(num_traversals, rng)
  walks = [space.traversal(start, factor) for start in starts]
  walks = [walk for walk in walks if len(walk) > 1] or walks
  lengths = np.array([len(walk) for walk in walks])
  codes = checked_codes(codes_of, np.concatenate(walks)).astype(np.float64)
  parts = np.split(codes, np.cumsum(lengths)[:-1])
  return [
    np.stack([part for part in parts if len(part) == length])
    for length in np.unique(lengths)
  ]

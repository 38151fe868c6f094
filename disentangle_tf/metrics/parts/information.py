"""Entropies and mutual information of codes and factors, in nats."""

import numpy as np

from disentangle_tf.metrics.parts.contract import check_time
from disentangle_tf.metrics.parts.points import equal_width_bins, factor_classes

_ROUNDING = 1e-12  # information below this is rounding error


def entropies(factors: np.ndarray) -> np.ndarray:
  """Entropy of each column of `factors`: `[factors]`."""
  counts = (np.unique(factor, return_counts=True)[1] for factor in factors.T)
  return np.array([_entropy(count) for count in counts])


def mutual_information_matrix(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int
) -> np.ndarray:
  """Mutual information between every latent and every factor, in nats.

  The plug-in estimate from counts. It is too high by about (bins - 1) * (values - 1) /
  (2 * points).

  Args:
    codes: `[points, latents]` representation means.
    factors: `[points, factors]` ground-truth factors.
    num_bins: equal-width bins per latent, over its own range. Also per factor, if it
      has more values than this and not all are whole numbers.

  Returns:
    `[latents, factors]` array, 0 or more, at most log(num_bins).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((4, 4)).reshape(2, -1).T
    >>> gains = metrics.mutual_information_matrix(factors, factors, num_bins=20)
    >>> (gains / np.log(4)).round(6)  # a factor of four values has log(4) nats
    array([[1., 0.],
           [0., 1.]])
  """
  bins = equal_width_bins(codes, num_bins)
  return class_information_matrix(bins, factor_classes(factors, num_bins=num_bins))


def class_information_matrix(codes: np.ndarray, factors: np.ndarray) -> np.ndarray:
  """`mutual_information_matrix` of columns that are class numbers already."""
  return np.array([[_information(z, f) for f in factors.T] for z in codes.T])


def latent_information_matrix(codes: np.ndarray, *, num_bins: int) -> np.ndarray:
  """Mutual information between every two binned latents: `[latents, latents]`."""
  bins = equal_width_bins(codes, num_bins)
  matrix = np.zeros((codes.shape[1], codes.shape[1]))
  for row, column in zip(*np.triu_indices(len(matrix)), strict=True):
    matrix[row, column] = _information(bins[:, row], bins[:, column])
    matrix[column, row] = matrix[row, column]
  return matrix


def neighbour_information_matrix(
  codes: np.ndarray, classes: np.ndarray, *, num_neighbours: int
) -> np.ndarray:
  """Mutual information between continuous latents and discrete factors.

  Estimated from the distances to each point's nearest neighbours of the same class:
  Ross 2014, "Mutual Information between Discrete and Continuous Data Sets", as in
  scikit-learn. Coinciding points are counted as in Gao et al. 2017, "Estimating Mutual
  Information for Discrete-Continuous Mixtures"; scikit-learn moves them apart at
  random. Almost unbiased; negative estimates become 0. Returns `[latents, factors]`.
  """
  return np.array(
    [
      [_neighbour_information(z, f, num_neighbours) for f in classes.T]
      for z in codes.T.astype(np.float64)
    ]
  )


def table_information(table: np.ndarray) -> float:
  """Information between the rows and the columns of a table of (soft) counts."""
  rows, columns = table.sum(axis=1), table.sum(axis=0)
  if (rows > 0).sum() < 2 or (columns > 0).sum() < 2:
    return 0.0
  information = _entropy(rows) + _entropy(columns) - _entropy(table)
  return float(information) if information > _ROUNDING else 0.0


def two_largest(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
  """Largest and second largest of each column; the second of a single row is 0."""
  if len(matrix) == 1:
    return matrix[0], np.zeros_like(matrix[0])
  second, first = np.sort(matrix, axis=0)[-2:]
  return first, second


def _information(first: np.ndarray, second: np.ndarray) -> float:
  """Information between two columns of small whole numbers, 0 or more."""
  check_time()
  width = second.max() + 1
  counts = np.bincount(first * width + second, minlength=(first.max() + 1) * width)
  return table_information(counts.reshape(-1, width))


def _neighbour_information(
  latent: np.ndarray, classes: np.ndarray, num_neighbours: int
) -> float:
  """Information between a continuous column and a column of class numbers."""
  from scipy import special

  check_time()
  sizes = np.bincount(classes)[classes]
  with_neighbours = sizes > 1
  latent, classes = latent[with_neighbours], classes[with_neighbours]
  if not len(latent):
    return 0.0
  order = np.lexsort((latent, classes))
  latent, classes = latent[order], classes[order]
  sizes = np.bincount(classes)[classes]
  radius = _neighbour_distances(latent, classes, num_neighbours)
  near = np.minimum(num_neighbours, sizes - 1)
  coincide = radius == 0
  near[coincide] = _run_lengths(latent, classes)[coincide]
  counts = np.sort(latent)
  # Exclude the neighbour at the radius itself, however the sum rounds.
  inside = np.maximum(radius - 4 * np.spacing(np.abs(latent) + radius), 0)
  within = np.searchsorted(counts, latent + inside, "right") - np.searchsorted(
    counts, latent - inside, "left"
  )
  within = np.maximum(within, near)
  digamma = special.digamma(np.arange(len(latent) + 1))
  terms = digamma[near] - digamma[sizes] - digamma[within]
  return max(float(digamma[len(latent)] + terms.mean()), 0.0)


def _neighbour_distances(
  latent: np.ndarray, classes: np.ndarray, num_neighbours: int
) -> np.ndarray:
  """Distance to the k-th neighbour in the class, of points sorted by class and value.

  In a class of fewer points, the distance to the farthest.
  """
  best = np.full(len(latent), np.inf)
  for left in range(num_neighbours + 1):
    reach = np.maximum(
      _distance_to(latent, classes, -left),
      _distance_to(latent, classes, num_neighbours - left),
    )
    best = np.minimum(best, reach)
  starts = np.flatnonzero(np.diff(classes, prepend=-1))
  ends = np.append(starts[1:], len(classes))
  numbers = np.searchsorted(starts, np.arange(len(latent)), "right") - 1
  lowest, highest = latent[starts][numbers], latent[ends - 1][numbers]
  farthest = np.maximum(latent - lowest, highest - latent)
  return np.where(np.isfinite(best), best, farthest)


def _distance_to(latent: np.ndarray, classes: np.ndarray, steps: int) -> np.ndarray:
  """Distance to the point `steps` places on in the same class, or infinity."""
  distance = np.full(len(latent), np.inf)
  size = abs(steps)
  if size >= len(latent):
    return distance
  lower, upper = slice(0, len(latent) - size), slice(size, len(latent))
  same = classes[lower] == classes[upper]
  gaps = np.where(same, latent[upper] - latent[lower], np.inf)
  distance[lower if steps > 0 else upper] = gaps
  return distance


def _run_lengths(latent: np.ndarray, classes: np.ndarray) -> np.ndarray:
  """Number of points of the same class and value, including the point itself."""
  new = np.diff(classes, prepend=-1) != 0
  new[1:] |= np.diff(latent) != 0
  runs = np.cumsum(new) - 1
  return np.bincount(runs)[runs]


def _entropy(counts: np.ndarray) -> float:
  """Entropy of a distribution given by counts of any shape."""
  counts = counts[counts > 0].astype(np.float64)
  total = counts.sum()
  return np.log(total) - np.dot(counts, np.log(counts)) / total

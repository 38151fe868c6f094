"""Distances at all levels of a trained model.

Michlo, Klein & James 2023, figures 4 and 10: a VAE's latents and reconstructions
repeat the distances that its loss perceives.
"""

import numpy as np

from disentangle_tf import plots
from disentangle_tf.perceived.distance_matrix import true_distances
from disentangle_tf.perceived.pairwise_distances import pairwise_distances


def level_matrices(data, loss, model, factor, *, num_traversals=32, rng=0):
  """Mean distances between every two values of a factor, level by level.

  Args:
    data: a `GroundTruthData` whose factors are a whole grid.
    loss: the `losses.ReconstructionLoss` that perceives images and reconstructions.
    model: with `encode_distribution(images)` -> (means, log-variances or None) and, if
      `has_decoder`, `reconstruct(images)`; an `ExportedModel` or `ForeignModel`.
    factor: position of the factor.
    num_traversals: random traversals to average over.
    rng: seed or `numpy.random.Generator` that draws them.

  Returns:
    {"ground truth", "observations", "latent means" (L2), "posterior KL" (symmetric, in
    nats), "reconstructions"}, each [values, values]; what the model lacks is left out.
  """
  rng = np.random.default_rng(rng)
  space = data.factors
  points = [space.traversal(p, factor) for p in space.draw(num_traversals, rng)]
  images = data.observe(np.concatenate(points)).numpy()
  means, log_variances = model.encode_distribution(images)
  levels = {
    "ground truth": true_distances(space.sizes[factor]).astype(float),
    "observations": _mean_perceived(loss, images, num_traversals),
    "latent means": _mean_of(_euclidean, num_traversals, means),
  }
  if log_variances is not None:
    levels["posterior KL"] = _mean_of(
      symmetric_kl, num_traversals, means, log_variances
    )
  if model.has_decoder:
    reconstructions = model.reconstruct(images)
    levels["reconstructions"] = _mean_perceived(loss, reconstructions, num_traversals)
  return levels


def levels_figure(data, loss, model, *, num_traversals=32, rng=0):
  """`level_matrices` of every factor, a row a factor: figures 4 and 10 of the paper."""
  rng = np.random.default_rng(rng)
  rows = {
    name: level_matrices(
      data, loss, model, factor, num_traversals=num_traversals, rng=rng
    )
    for factor, name in enumerate(data.factors.names)
  }
  titles = list(next(iter(rows.values())))
  return plots.matrix_rows_figure(
    {name: list(levels.values()) for name, levels in rows.items()}, titles
  )


def symmetric_kl(means, log_variances):
  """Mean of the two KL divergences between every two diagonal Gaussians: [N, N].

  0.25 * sum over latents of (v_i/v_j + v_j/v_i + (m_i - m_j)^2 (1/v_i + 1/v_j) - 2).
  """
  means, log_variances = (np.asarray(x, np.float64) for x in (means, log_variances))
  ratio = np.exp(log_variances[:, None] - log_variances)
  precisions = np.exp(-log_variances)
  squares = (means[:, None] - means) ** 2
  each = ratio + 1 / ratio - 2 + squares * (precisions[:, None] + precisions)
  return 0.25 * each.sum(axis=-1)


def _euclidean(means):
  return np.linalg.norm(means[:, None] - means, axis=-1)


def _mean_of(distances, num_traversals, *arrays):
  parts = (np.split(array, num_traversals) for array in arrays)
  return np.mean([distances(*each) for each in zip(*parts, strict=True)], axis=0)


def _mean_perceived(loss, images, num_traversals):
  return _mean_of(lambda x: pairwise_distances(loss, x).numpy(), num_traversals, images)

"""Distances at all levels of a trained model.

Michlo, Klein & James 2023, figures 4 and 10: a VAE's latents and reconstructions
repeat the distances that its loss perceives.
"""

import numpy as np

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.perceived.agreement import correlations
from disentangle_tf.perceived.distance_matrix import true_distances
from disentangle_tf.perceived.pairwise_distances import pairwise_distances


def level_distances(data, loss, model, *, factors=None, num_traversals=32, rng=0):
  """Distances between every two values of each factor, level by level.

  Args:
    data: a `GroundTruthData` whose factors are a whole grid.
    loss: the `losses.ReconstructionLoss` that perceives images and reconstructions.
    model: with `encode_distribution(images)` -> (means, log-variances or None) and, if
      `has_decoder`, `reconstruct(images)`; an `ExportedModel` or `ForeignModel`.
    factors: names of those to look at, all by default.
    num_traversals: random traversals of each.
    rng: seed or `numpy.random.Generator` that draws them.

  Returns:
    {factor: {"ground truth", "observations", "latent means" (L2), "posterior KL"
    (symmetric, in nats), "reconstructions"}}, each [traversals, values, values]; what
    the model lacks is left out.
  """
  rng = np.random.default_rng(rng)
  names = data.factors.names
  for name in factors or ():
    if name not in names:
      raise UserError(f"{data.name} has no factor {name!r} (but {', '.join(names)})")
  return {
    name: _along(data, loss, model, names.index(name), num_traversals, rng)
    for name in factors or names
  }


def level_agreement(distances):
  """Correlation of each level's distances with the factor's own.

  Args:
    distances: as of `level_distances`.

  Returns:
    {factor: {level: {"linear", "rank"}}}, as of `agreement`, for factors of three
    values and more.
  """
  return {
    factor: {
      level: correlations(levels["ground truth"], found)
      for level, found in levels.items()
      if level != "ground truth"
    }
    for factor, levels in distances.items()
    if levels["ground truth"].shape[-1] > 2
  }


def levels_figure(rows):
  """Mean distances, a row a factor: figures 4 and 10 of the paper.

  Args:
    rows: {label: {level: [traversals, values, values]}}, such as `level_distances`.
  """
  titles = list(next(iter(rows.values())))
  means = {
    label: [found.mean(axis=0) for found in levels.values()]
    for label, levels in rows.items()
  }
  return plots.matrix_rows_figure(means, titles)


def _along(data, loss, model, factor, num_traversals, rng):
  """{level: [traversals, values, values]} of one factor."""
  space = data.factors
  points = [space.traversal(p, factor) for p in space.draw(num_traversals, rng)]
  images = data.observe(np.concatenate(points)).numpy()
  means, log_variances = model.encode_distribution(images)
  truth = true_distances(space.sizes[factor]).astype(float)
  levels = {
    "ground truth": np.tile(truth, (num_traversals, 1, 1)),
    "observations": _perceived(loss, images, num_traversals),
    "latent means": _of_each(_euclidean, num_traversals, means),
  }
  if log_variances is not None:
    levels["posterior KL"] = _of_each(
      symmetric_kl, num_traversals, means, log_variances
    )
  if model.has_decoder:
    reconstructions = model.reconstruct(images)
    levels["reconstructions"] = _perceived(loss, reconstructions, num_traversals)
  return levels


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


def _of_each(distances, num_traversals, *arrays):
  parts = (np.split(array, num_traversals) for array in arrays)
  return np.array([distances(*each) for each in zip(*parts, strict=True)])


def _perceived(loss, images, num_traversals):
  return _of_each(lambda x: pairwise_distances(loss, x).numpy(), num_traversals, images)

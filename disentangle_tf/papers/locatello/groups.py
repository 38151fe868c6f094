"""Independent groups of latents and factors."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures.models import first_of_each_run

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.studies.finished_run import FinishedRun


@dataclasses.dataclass(frozen=True)
class IndependentGroups:
  """Counts at thresholds, from the highest to the lowest.

  Attributes:
    thresholds: [entries], all entries of the matrix in descending order.
    groups: [entries], number of groups of connected factors and latents.
    discovered: [entries], number of factors that are connected to a latent.
    merges: ((threshold, factors of one group, factors of the other), ...) in the order
      in which groups of factors become one: the dendrogram.
    area: under the curve of groups over thresholds, by the trapezoidal rule
      ("area_precision").
    most: largest number of groups ("max_precision").
  """

  thresholds: np.ndarray
  groups: np.ndarray
  discovered: np.ndarray
  merges: tuple[tuple[float, tuple[int, ...], tuple[int, ...]], ...]
  area: float
  most: int


def independent_groups(matrix: np.ndarray) -> IndependentGroups:
  """Count the groups of connected latents and factors at every threshold of a matrix.

  At threshold u a latent and a factor are connected if their entry is at least u, and
  not 0. A group is a connected component that has a factor and a latent. A code that
  separates the factors has as many groups as factors; one that mixes all has one group.

  Args:
    matrix: [latents, factors], entries 0 or more.

  Returns:
    `IndependentGroups`. The identity of 3 has 3 groups of 3 discovered factors; a
    matrix of ones has 1 group of 3.

  Reference: Locatello et al. 2020, "A Sober Look at the Unsupervised Learning of
  Disentangled Representations and their Evaluation"; as in disentanglement_lib.
  """
  matrix = np.asarray(matrix, float)
  if matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
    raise UserError("a matrix for groups must be [latents, factors] of finite numbers")
  if (matrix < 0).any():
    raise UserError("a matrix for groups has entries below 0")
  thresholds = np.sort(matrix, axis=None)[::-1]
  forest, counts = _Forest(*matrix.shape), {}
  for threshold in np.unique(thresholds)[::-1].tolist():
    for latent, factor in np.argwhere((matrix == threshold) & (matrix > 0)).tolist():
      forest.join(latent, factor, threshold)
    counts[threshold] = forest.count()
  found = np.array([counts[threshold] for threshold in thresholds.tolist()])
  groups, discovered = found.T
  heights = (groups[:-1] + groups[1:]) / 2
  return IndependentGroups(
    thresholds=thresholds,
    groups=groups,
    discovered=discovered,
    merges=tuple(forest.merges),
    area=float((heights * -np.diff(thresholds)).sum()),
    most=int(groups.max()),
  )


class _Forest:
  """Union-find over the factors and latents, which records the joined factors."""

  def __init__(self, num_latents: int, num_factors: int) -> None:
    self._parents = list(range(num_factors + num_latents))
    self._num_factors = num_factors
    self._found: set[int] = set()
    self.merges: list[tuple[float, tuple[int, ...], tuple[int, ...]]] = []

  def join(self, latent: int, factor: int, threshold: float) -> None:
    self._found.add(factor)
    roots = self._root(factor), self._root(self._num_factors + latent)
    if roots[0] == roots[1]:
      return
    first, second = (self._factors(root) for root in roots)
    if first and second:
      self.merges.append((threshold, first, second))
    self._parents[roots[1]] = roots[0]

  def count(self) -> tuple[int, int]:
    """(groups, factors that were found)."""
    return len({self._root(factor) for factor in self._found}), len(self._found)

  def _root(self, node: int) -> int:
    while self._parents[node] != node:
      node = self._parents[node]
    return node

  def _factors(self, root: int) -> tuple[int, ...]:
    return tuple(f for f in range(self._num_factors) if self._root(f) == root)


def plot_independent_groups(matrices: Mapping[str, np.ndarray]) -> dict[str, Figure]:
  """Discovered factors and independent groups as the threshold falls.

  Args:
    matrices: {title: [latents, factors]}, of one model or of several.

  Returns:
    {"independent_groups": figure}, one panel per matrix.
  """
  panels, notes = {}, {}
  for name, matrix in matrices.items():
    found = independent_groups(matrix)
    panels[name] = {
      "independent groups": (found.thresholds, found.groups),
      "discovered factors": (found.thresholds, found.discovered),
    }
    notes[name] = f"area {found.area:.2f}, most {found.most}"
  figure = plots.curve_grid_figure(
    panels,
    x_label="threshold",
    y_label="number",
    notes=notes,
    share_y="all",
    size=(2.1, 1.7),
    caption="Latents and factors hang together where their entry reaches the threshold",
  )
  return {"independent_groups": figure}


def plot_model_groups(
  finished: Sequence[FinishedRun], *, num_points: int = 2_000, num_bins: int = 20
) -> dict[str, Figure]:
  """Independent groups of factors that models find: Locatello et al. 2020.

  Args:
    finished: [`FinishedRun`]; of each run the first is drawn.
    num_points: number of images from whose codes the mutual information of latents and
      factors is computed.
    num_bins: of each latent.

  Returns:
    {"independent_groups": figure}, see `plot_independent_groups`.

  Example:
    >>> from disentangle_tf import data, export, losses, models, networks
    >>> from disentangle_tf import papers, studies
    >>> images = data.XYSquares(image_size=8, square_size=2, grid_spacing=2)
    >>> model = models.BetaVAE(
    ...   networks.linear_encoder(images.observation_shape, latents=2),
    ...   networks.linear_decoder(images.observation_shape, latents=2),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> folder = export.write_export(model, "groups", data=images)
    >>> run = studies.FinishedRun("beta-VAE", {}, 0, folder, {"mig": 0.25})
    >>> list(papers.locatello.plot_model_groups([run], num_points=50))
    ['independent_groups']
  """
  from disentangle_tf import metrics

  check_count("plot_model_groups", num_points=num_points, num_bins=num_bins)
  matrices = {}
  for run, (model, data) in first_of_each_run(finished).items():
    factors = data.factors.draw(num_points, np.random.default_rng(0))
    codes, _ = model.encode(data.observe(factors).numpy())
    matrices[run] = metrics.mutual_information_matrix(codes, factors, num_bins=num_bins)
  return plot_independent_groups(matrices)

"""How many factors are found, and apart: Locatello et al. 2020."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.argument_checks import check_count
from disentangle_tf.studies.analyses import independent_groups
from disentangle_tf.studies.plotting_models import first_of_each_run

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.studies.finished_run import FinishedRun


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

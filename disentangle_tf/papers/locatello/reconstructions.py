"""Figure 1: reconstructions of one model per method in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures.models import first_of_each_run

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.studies.finished_run import FinishedRun


def plot_reconstructions(
  finished: Sequence[FinishedRun], *, num_images: int = 8, seed: int = 0
) -> dict[str, Figure]:
  """Images, and below them their reconstructions by a model of each run.

  Models on one data set show the same images. Runs without a decoder are left out.

  Args:
    finished: [`FinishedRun`]; of each run the first is drawn.
    num_images: number of images of each model.
    seed: of the choice of images.

  Returns:
    {"reconstructions": figure}.

  Reference: Locatello et al. 2019, figure 1.

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
    >>> folder = export.write_export(model, "reconstructed", data=images)
    >>> run = studies.FinishedRun("beta-VAE", {}, 0, folder, {"mig": 0.25})
    >>> list(papers.locatello.plot_reconstructions([run], num_images=2))
    ['reconstructions']
  """
  check_count("plot_reconstructions", num_images=num_images)
  panels = {}
  for run, (model, data) in first_of_each_run(finished).items():
    if model.can_reconstruct:
      points = data.factors.draw(num_images, np.random.default_rng(seed))
      images = data.observe(points).numpy()
      panels[run] = plots.image_grid(np.stack([images, model.reconstruct(images)]))
  if not panels:
    raise UserError("plot_reconstructions: no model of these runs has a decoder")
  figure = plots.picture_grid_figure(
    panels,
    caption="Above: images of the data set; below: their reconstructions.",
    size=3.2,
  )
  return {"reconstructions": figure}

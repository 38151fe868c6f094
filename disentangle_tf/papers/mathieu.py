"""Figure 3 of Mathieu et al. 2019: aggregate posteriors over the prior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.studies.figures.models import open_model

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.studies.finished_run import FinishedRun

_NUM_POINTS = 512  # points whose posteriors are averaged


def plot_aggregate_posteriors(
  finished: Sequence[FinishedRun],
  *,
  limits: tuple[float, float] = (-1.0, 2.0),
  resolution: int = 120,
) -> dict[str, Figure]:
  """Aggregate posterior of two latents, over the prior: figure 3, Mathieu et al. 2019.

  The aggregate posterior is the mean of all posteriors of the data set.

  Args:
    finished: [`FinishedRun`]; of each run and setting the first is drawn.
    limits: of both axes.
    resolution: points per axis at which densities are computed.

  Returns:
    {"aggregate_posteriors": figure}, lines show the prior.

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
    >>> folder = export.write_export(model, "posteriors", data=images)
    >>> run = studies.FinishedRun("beta-VAE", {}, 0, folder, {"mig": 0.25})
    >>> list(papers.plot_aggregate_posteriors([run], resolution=8))
    ['aggregate_posteriors']
  """
  from disentangle_tf import plots

  check_count("plot_aggregate_posteriors", resolution=resolution)
  axis = np.linspace(*limits, resolution)
  points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
  densities, priors = {}, {}
  for each in finished:
    settings = [f"{name} = {value}" for name, value in each.settings.items()]
    title = "\n".join([each.run, *settings])
    if title not in densities:
      found = _densities(each, points)
      densities[title], priors[title] = (
        values.reshape(resolution, resolution) for values in found
      )
  figure = plots.density_grid_figure(
    densities,
    (*limits, *limits),
    contours=priors,
    caption="Aggregate posterior (blue) and prior (lines), each on a scale of its own",
  )
  return {"aggregate_posteriors": figure}


def _densities(
  finished: FinishedRun, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
  """(aggregate posterior, prior) at points [N, 2] of a run with two latents."""
  from disentangle_tf.export.model_description import told_parts
  from disentangle_tf.export.part_serialisation import prior_from_config

  model, data = open_model(finished)
  if model.num_latents != points.shape[1]:
    raise UserError(
      f"plot_aggregate_posteriors draws codes of {points.shape[1]} latents, "
      f"{finished.export} has {model.num_latents}"
    )
  images = np.concatenate([images for _, images in data.in_order(_NUM_POINTS)])
  means, log_variances = model.encode(images)
  scales = np.exp(0.5 * log_variances.astype(np.float64))
  # [points, images]: the product of two normal densities.
  densities = np.prod(
    [
      np.exp(-0.5 * ((points[:, [j]] - means[:, j]) / scales[:, j]) ** 2) / scales[:, j]
      for j in range(points.shape[1])
    ],
    axis=0,
  )
  prior = prior_from_config(told_parts(model.manifest).get("prior"))
  log_prior = prior.log_prob(points.astype(np.float32)).numpy()
  return densities.mean(axis=1) / (2 * np.pi), np.exp(log_prior)

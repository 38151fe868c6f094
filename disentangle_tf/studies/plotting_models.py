"""Figures of what a study's models learned.

TensorFlow is imported by the functions that need it, so that planning a study is quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.latent_use import most_used_first
from disentangle_tf.studies.folder_name import folder_name

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.export import ExportedModel
  from disentangle_tf.studies.finished_run import FinishedRun

_NUM_POINTS = 512  # points whose codes determine the active latents and their range


def plot_levels(
  finished: Sequence[FinishedRun],
  *,
  factors: Sequence[str] | None = None,
  num_traversals: int = 32,
  symmetric: bool = True,
) -> dict[str, Figure]:
  """Distances at all levels of the models: figures 4 and 10 of Michlo et al. 2023.

  Perceived distances are those of the loss in the run's manifest.

  Args:
    finished: [`FinishedRun`]; of each run the first is drawn.
    factors: names of those to draw, all by default.
    num_traversals: traversals to average over.
    symmetric: of the KL between posteriors, see `perceived.level_distances`.

  Returns:
    {"levels": figure}, with a row for each run and factor.

  Example:
    >>> from disentangle_tf import data, export, losses, models, networks, studies
    >>> images = data.XYSquares(image_size=8, square_size=2, grid_spacing=2)
    >>> model = models.BetaVAE(
    ...   networks.linear_encoder(images.observation_shape, latents=2),
    ...   networks.linear_decoder(images.observation_shape, latents=2),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> folder = export.write_export(model, "levels", data=images)
    >>> run = studies.FinishedRun("beta-VAE", {}, 0, folder, {"mig": 0.25})
    >>> list(studies.plot_levels([run], num_traversals=1))
    ['levels']
  """
  from disentangle_tf import perceived, pictures
  from disentangle_tf.export import loss_of_distances

  check_count("plot_levels", num_traversals=num_traversals)
  rows, models = {}, first_of_each_run(finished)
  for run, (model, data) in models.items():
    found = perceived.level_distances(
      data,
      loss_of_distances(model.manifest, path=run),
      model,
      factors=factors,
      num_traversals=num_traversals,
      symmetric=symmetric,
    )
    for name, levels in found.items():
      words = [run] * (len(models) > 1) + [name] * (len(found) > 1)
      rows["\n".join(words) or name] = levels
  return {"levels": pictures.levels_figure(rows)}


def plot_traversals(
  finished: Sequence[FinishedRun], *, num_latents: int = 6
) -> dict[str, Figure]:
  """Traversals of the most active latents: figure 7 of Michlo et al. 2023.

  Args:
    finished: [`FinishedRun`]; of each run the first is drawn.
    num_latents: number of latents to show, most active by KL first; each moves from its
      smallest to its largest code.

  Returns:
    {"traversals_" and the run: figure}.

  Example:
    >>> from disentangle_tf import data, export, losses, models, networks, studies
    >>> images = data.XYSquares(image_size=8, square_size=2, grid_spacing=2)
    >>> model = models.BetaVAE(
    ...   networks.linear_encoder(images.observation_shape, latents=2),
    ...   networks.linear_decoder(images.observation_shape, latents=2),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> folder = export.write_export(model, "traversals", data=images)
    >>> run = studies.FinishedRun("beta-VAE", {}, 0, folder, {"mig": 0.25})
    >>> list(studies.plot_traversals([run], num_latents=1))
    ['traversals_beta-VAE']
  """
  check_count("plot_traversals", num_latents=num_latents)
  return {
    f"traversals_{folder_name(run, {})}": traversals_of(model, data, num_latents)
    for run, (model, data) in first_of_each_run(finished).items()
  }


def traversals_of(
  model: ExportedModel, data: GroundTruthData, num_latents: int = 6
) -> Figure:
  """The figure of one model's traversals, see `plot_traversals`.

  Args:
    model: an `AskableModel` with a decoder.
    data: its data set.
    num_latents: number of latents to show.
  """
  from disentangle_tf import pictures

  points = data.factors.draw(_NUM_POINTS, np.random.default_rng(0))
  codes, log_variances = model.encode(data.observe(points).numpy())
  order = most_used_first(codes, log_variances)[:num_latents]
  return pictures.latents_figure(model.decode, codes, order, "range")


def first_of_each_run(
  finished: Sequence[FinishedRun],
) -> dict[str, tuple[ExportedModel, GroundTruthData]]:
  """{run: (`ExportedModel`, its data set)}."""
  models = {}
  for each in finished:
    if each.run not in models:
      models[each.run] = open_model(each)
  return models


def open_model(finished: FinishedRun) -> tuple[ExportedModel, GroundTruthData]:
  """(`ExportedModel`, its data set) of a `FinishedRun`."""
  from disentangle_tf.data import data_from_config
  from disentangle_tf.export import ExportedModel

  model = ExportedModel(finished.export)
  return model, data_from_config(model.manifest["data"])

"""Figures of single models of a study: levels, traversals, planes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.latent_use import most_used_first
from disentangle_tf.studies.plan import folder_name
from disentangle_tf.studies.titles import lower_is_better

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


_PLANE_POINTS = 2_000  # points whose codes determine which latents move, and how far


def plot_latent_planes(
  finished: Sequence[FinishedRun],
  *,
  score: str = "mig",
  factors: Sequence[str] | None = None,
  num_models: int = 4,
) -> dict[str, Figure]:
  """Two latents moved at once: figures 10 and 11 of Zietlow et al. 2021.

  Args:
    finished: [`FinishedRun`], of which the best and the worst are chosen.
    score: name of the score that ranks them.
    factors: names of two factors, wall hue and orientation in the paper: the latents
      with the most information about them move. None: the two latents with the smallest
      posterior variance.
    num_models: number of the best models, and of the worst, if there are as many.

  Returns:
    {"latent_planes": figure}, the best models first.

  Example:
    >>> from disentangle_tf import data, export, losses, models, networks, studies
    >>> images = data.XYSquares(image_size=8, square_size=2, grid_spacing=2)
    >>> model = models.BetaVAE(
    ...   networks.linear_encoder(images.observation_shape, latents=2),
    ...   networks.linear_decoder(images.observation_shape, latents=2),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> folder = export.write_export(model, "model", data=images)
    >>> run = studies.FinishedRun("beta-VAE", {}, 0, folder, {"mig": 0.25})
    >>> list(studies.plot_latent_planes([run], num_models=1))
    ['latent_planes']
  """
  check_count("plot_latent_planes", num_models=num_models)
  if any(score not in each.scores for each in finished):
    raise UserError(f"plot_latent_planes: some model has no score {score!r}")
  sign = 1 if lower_is_better(score) else -1
  ranked = sorted(finished, key=lambda each: sign * each.scores[score])
  planes = {}
  for word, chosen in (
    ("best", ranked[:num_models]),
    ("worst", ranked[num_models:][-num_models:][::-1]),
  ):
    for place, each in enumerate(chosen, start=1):
      settings = [f"{name} = {value}" for name, value in each.settings.items()]
      words = [f"{word} {place}: {score} {each.scores[score]:.2f}"]
      words += [each.run, *settings, f"seed {each.seed}"]
      planes["\n".join(words)] = _plane(each, factors)
  return {"latent_planes": _figure(planes, factors)}


def _plane(
  finished: FinishedRun, factors: Sequence[str] | None
) -> tuple[Callable, np.ndarray, tuple[int, int]]:
  """(decode, codes, two latents) of one model."""
  from disentangle_tf import pictures

  model, data = open_model(finished)
  pictures.check_drawable(data)
  points = data.factors.draw(_PLANE_POINTS, np.random.default_rng(0))
  codes, log_variances = model.encode(data.observe(points).numpy())
  known = None if factors is None else points[:, _positions(data, factors)]
  return model.decode, codes, pictures.plane_latents(codes, log_variances, known)


def _positions(data: GroundTruthData, factors: Sequence[str]) -> list[int]:
  names = list(data.factors.names)
  if len(factors) != 2 or isinstance(factors, str):
    raise UserError(f"plot_latent_planes.factors is {factors!r}: it must be two names")
  for name in factors:
    if name not in names:
      raise UserError(f"{data.name} has no factor {name!r}{suggest(name, names)}")
  return [names.index(name) for name in factors]


def _figure(
  planes: dict[str, tuple[Callable, np.ndarray, tuple[int, int]]],
  factors: Sequence[str] | None,
) -> Figure:
  from disentangle_tf import pictures

  chosen = (
    "with the smallest posterior variance"
    if factors is None
    else f"with the most information about {' and '.join(factors)}"
  )
  return pictures.latent_plane_figure(
    planes,
    caption=f"The two latents {chosen}, from their smallest to their largest codes.",
  )

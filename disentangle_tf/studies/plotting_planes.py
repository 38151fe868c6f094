"""Planes of two latents of the best and the worst models of a study.

TensorFlow is imported by the functions that need it, so that planning a study is quick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.plotting_models import open_model
from disentangle_tf.studies.score_direction import lower_is_better

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.studies.finished_run import FinishedRun

_NUM_POINTS = 2_000  # points whose codes determine which latents move, and how far


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
  points = data.factors.draw(_NUM_POINTS, np.random.default_rng(0))
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

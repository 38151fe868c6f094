"""report.html of bin/demo: two models, their scores and pictures."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.output_files import write_text

if TYPE_CHECKING:
  from markupsafe import Markup

  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.export import ExportedModel

_SHOWN = 9  # images in a row
SCORES = (  # reported by Michlo et al.
  "mig",
  "disentanglement",
  "completeness",
  "informativeness_train",
  "informativeness_test",
)
_NAMES = {"mse": "Pixel-wise loss (MSE)", "overlap": "Overlap loss (box blur)"}


def write_report(
  path: str | os.PathLike,
  exports: Mapping[str, pathlib.Path],
  scores: Mapping[str, Mapping[str, float]],
  *,
  num_seeds: int,
) -> None:
  """Write report.html.

  Args:
    path: the file.
    exports: {loss: folder of the model's export}, of "mse" and "overlap".
    scores: {loss: {score: median over the seeds}}.
    num_seeds: number of seeds.
  """
  from disentangle_tf import plots
  from disentangle_tf.data import data_from_config
  from disentangle_tf.export import ExportedModel

  models = {loss: ExportedModel(folder) for loss, folder in exports.items()}
  data = data_from_config(models["mse"].manifest["data"])
  factors = data.factors.draw(256, np.random.default_rng(0))
  images = data.observe(factors).numpy()
  reconstructions, traversals, distances = {}, {}, {}
  for loss, model in models.items():
    name = _NAMES[loss]
    reconstructions[name], traversals[name] = _model_pictures(model, images)
    distances[name] = _distances_picture(model, data)
  text = plots.html_report(
    title="Overlooked implications of the reconstruction loss, in miniature",
    introduction=(
      "Two squares move over an 8x8 grid. The positions of a square do not overlap, so "
      "a pixel-wise loss sees the same distance between any two of them, and a "
      "beta-VAE has no reason to order them. A loss that also compares blurred images "
      "restores the order."
    ),
    parts=[
      _scores_part(scores, num_seeds),
      *_pictures_parts(distances, reconstructions, traversals),
    ],
  )
  write_text(path, text)


def _model_pictures(model: ExportedModel, images: np.ndarray) -> tuple[bytes, bytes]:
  """PNG bytes of a model's reconstructions and of its latent traversals."""
  from disentangle_tf import pictures, plots
  from disentangle_tf.latent_use import most_used_first

  mean, log_variance = model.encode(images)
  rows = pictures.reconstructions(model, images[:_SHOWN])
  traversal = pictures.latent_traversal(model.decode, mean[0])[
    most_used_first(mean, log_variance)
  ]
  first, second = (
    plots.picture_to_png(plots.image_grid(picture, scale=4, padding=3))
    for picture in (rows, traversal)
  )
  return first, second


def _distances_picture(model: ExportedModel, data: GroundTruthData) -> bytes:
  """PNG bytes of the distances as the model's reconstruction loss perceives them."""
  from disentangle_tf import perceived, plots
  from disentangle_tf.export import reconstruction_loss_of

  figure = plots.matrices_figure(
    perceived.distance_matrices(data, reconstruction_loss_of(model.manifest)),
    data.factors.names,
    label="perceived distance",
  )
  return plots.figure_to_png(figure)


def _scores_part(scores: Mapping[str, Mapping[str, float]], num_seeds: int) -> Markup:
  from disentangle_tf import plots

  return plots.table_part(
    "Scores",
    f"Median of {num_seeds} seed{'s' * (num_seeds > 1)}; higher is better. The "
    "pictures below are of seed 0.",
    {
      _NAMES[loss]: {name: values[name] for name in SCORES}
      for loss, values in scores.items()
    },
  )


def _pictures_parts(
  distances: Mapping[str, bytes],
  reconstructions: Mapping[str, bytes],
  traversals: Mapping[str, bytes],
) -> list[Markup]:
  """The parts of the page with pictures; each argument is {title of a model: PNG}."""
  from disentangle_tf import plots

  return [
    plots.pictures_part(
      "Perceived distances",
      "Between the values of each factor. Left: all distances but those on the "
      "diagonal are equal. Right: nearby positions have small distances.",
      distances,
    ),
    plots.pictures_part(
      "Reconstructions",
      "Images above, reconstructions below.",
      reconstructions,
      pixels=True,
    ),
    plots.pictures_part(
      "Latent traversals",
      "One row per latent, from -2 to 2, most active first. A disentangled latent "
      "moves one square along one axis.",
      traversals,
      pixels=True,
    ),
  ]

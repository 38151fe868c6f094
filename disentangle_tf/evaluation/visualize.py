"""Pictures of what a model does, on disk."""

import numpy as np

from disentangle_tf import losses, perceived, plots
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.report import factor_latent_matrices
from disentangle_tf.evaluation.subject import open_model
from disentangle_tf.models.latent_traversal import (
  latent_traversal,
  most_used_first,
  traversal_values,
)
from disentangle_tf.output_files import prepare_output_dir, write_bytes

_NUM_POINTS = 2_000
_SHOWN = 9  # images
_FRAMES = 24  # of a GIF
_SAMPLES = (6, 9)  # rows and columns


def visualize(
  *,
  model,
  output_dir,
  data=None,
  loss=None,
  reading=None,
  trusted=False,
  limits=None,
  num_traversals=32,
  seed=0,
  overwrite=False,
):
  """Draws reconstructions, traversals, samples, heat-maps and distances of a model.

  Without a data set, which neither the model nor the user names, only what the decoder
  shows by itself: samples from the prior and traversals around its mean.

  Args:
    model: as of `evaluate`, with a decoder for most of the pictures.
    output_dir: folder for the pictures.
    data: the `GroundTruthData`; by default the one the manifest names.
    loss: the `losses.ReconstructionLoss` of the distances; by default MSE.
    reading, trusted, limits, overwrite: as of `evaluate`.
    num_traversals: traversals behind the distances.
    seed: of all that is drawn.

  Returns:
    Names of the files written.
  """
  rng = np.random.default_rng(seed)
  options = {"reading": reading, "trusted": trusted, "limits": limits}
  with open_model(model, data=data, **options) as (opened, data, _):
    pictures = {}
    if data is not None:
      pictures |= _of_data(opened, data, loss or losses.MSE(), num_traversals, rng)
    if opened.interface.decode:
      latents = opened.num_latents
      samples = opened.decode(rng.normal(size=(_SAMPLES[0] * _SAMPLES[1], latents)))
      pictures["samples"] = samples.reshape(*_SAMPLES, *samples.shape[1:])
      if data is None:
        at_mean = np.zeros((2, latents))
        pictures |= _traversals(opened.decode, at_mean, range(latents), ["prior"])
    if not pictures:
      raise UserError(f"{model} has no decoder and names no data: add --data")
    output_dir = prepare_output_dir(output_dir, overwrite=overwrite)
    return [_write(output_dir, name, picture) for name, picture in pictures.items()]


def _of_data(model, data, loss, num_traversals, rng):
  """{name: figure, images in rows and columns, or bytes of a GIF}."""
  points = data.factors.draw(_NUM_POINTS, rng)
  images = data.observe(points[:_SHOWN]).numpy()
  codes, log_variances = _encode(model, data, points)
  pictures = {}
  if model.has_decoder:
    pictures["reconstructions"] = np.stack([images, model.reconstruct(images)])
  if model.interface.decode:
    order = most_used_first(codes, log_variances)
    kinds = ["prior", "fitted", "range"]
    pictures |= _traversals(model.decode, codes, order, kinds)
  if data.labelled:
    matrices = factor_latent_matrices(codes, points)
    pictures["factors_and_latents"] = plots.heat_maps_figure(
      matrices, data.factors.names
    )
    if data.factors.is_whole:
      distances = perceived.level_distances(
        data, loss, model, num_traversals=num_traversals, rng=rng
      )
      pictures["distances"] = perceived.levels_figure(distances)
  return pictures


def _encode(model, data, points):
  batches = np.split(points, range(256, len(points), 256))
  parts = [model.encode_distribution(data.observe(batch).numpy()) for batch in batches]
  means, log_variances = zip(*parts, strict=True)
  unknown = log_variances[0] is None
  return np.concatenate(means), None if unknown else np.concatenate(log_variances)


def _traversals(decode, codes, order, kinds):
  """Figures of each kind, and a GIF of the first."""
  order = list(order)
  pictures = {
    f"latent_traversals_{kind}": latents_figure(decode, codes, order, kind)
    for kind in kinds
  }
  values = traversal_values(kinds[0], codes, _FRAMES)
  moving = latent_traversal(decode, codes[0], values=values)[order]
  return pictures | {"latent_traversals": plots.traversals_to_gif(moving)}


def latents_figure(decode, codes, order, kind):
  """The latents `order`, each moved from the first of the `codes` on.

  Args:
    decode: as of `latent_traversal`.
    codes, kind: as of `traversal_values`.
    order: latents, a row each.

  Returns:
    A matplotlib Figure.
  """
  images = latent_traversal(decode, codes[0], values=traversal_values(kind, codes))
  return plots.traversals_figure(
    images[list(order)], [f"latent {latent}" for latent in order]
  )


def _write(directory, name, picture):
  """Writes a GIF's bytes, a grid of images, or a figure; gives the file's name."""
  if isinstance(picture, bytes):
    write_bytes(directory / f"{name}.gif", picture)
    return f"{name}.gif"
  if isinstance(picture, np.ndarray):
    grid = plots.image_grid(picture, scale=max(1, 64 // picture.shape[2]), padding=2)
    write_bytes(directory / f"{name}.png", plots.picture_to_png(grid))
  else:
    plots.save_figure(picture, directory / name)
  return f"{name}.png"

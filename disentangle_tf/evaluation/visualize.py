"""Pictures of what a model does, on disk."""

import math

import numpy as np

from disentangle_tf import losses, perceived, plots
from disentangle_tf.argument_checks import check_count, check_instance, check_seed
from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.evaluation.report import (
  check_drawable,
  factor_latent_figure,
  most_rows,
)
from disentangle_tf.evaluation.subject import open_model
from disentangle_tf.export import loss_of_distances
from disentangle_tf.foreign.model_error import ModelError
from disentangle_tf.models.latent_traversal import (
  latent_traversal,
  most_used_first,
  traversal_values,
)
from disentangle_tf.output_files import whole_output_dir, write_bytes

_NUM_POINTS = 2_000
_SHOWN = 9  # images
_FRAMES = 24  # of a GIF
_SAMPLES = (6, 9)  # rows and columns
_MOST_NUMBERS = 2**27  # in the images behind the distances along a factor


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
  shows by itself: samples from the prior and traversals around its mean. What cannot be
  drawn is told in a line each, with the reason.

  Args:
    model: as of `evaluate`, with a decoder for most of the pictures.
    output_dir: folder for the pictures.
    data: the `GroundTruthData`; by default the one the manifest names.
    loss: the `losses.ReconstructionLoss` of the distances; by default the one that an
      export tells, or else MSE.
    reading, trusted, limits, overwrite: as of `evaluate`.
    num_traversals: traversals behind the distances.
    seed: of all that is drawn.

  Returns:
    Names of the files written.
  """
  check_count("visualize", num_traversals=num_traversals)
  check_seed("visualize", seed=seed)
  if loss is not None:
    check_instance("visualize", losses.ReconstructionLoss, "@losses.MSE()", loss=loss)
  if data is not None:
    check_instance("visualize", GroundTruthData, "@data.XYSquares()", data=data)
  rng = np.random.default_rng(seed)
  options = {"reading": reading, "trusted": trusted, "limits": limits}
  with open_model(model, data=data, **options) as (opened, data, manifest):
    if loss is None and data is not None:
      loss = loss_of_distances(manifest, path=model)
    drawing = _Drawing(opened, data, loss, num_traversals, rng)
    pictures, left_out = drawing.draw_all()
    if not pictures:
      raise UserError(f"{model} has no decoder and names no data: add --data")
    for name, reason in left_out.items():
      print(f"not drawn: {name}: {reason}")
    with whole_output_dir(output_dir, overwrite=overwrite) as folder:
      return [_write(folder, name, picture) for name, picture in pictures.items()]


class _Drawing:
  """All pictures of a model; what cannot be drawn is a `UserError` that says why.

  A picture is a figure, images in rows and columns, or the bytes of a GIF.
  """

  def __init__(self, model, data, loss, num_traversals, rng):
    self._model, self._data, self._loss = model, data, loss
    self._num_traversals, self._rng = num_traversals, rng
    if data is not None:
      self._table = CodesTable.of_model(
        model.encode_distribution,
        data,
        reconstruct=model.reconstruct if model.has_decoder else None,
      )
      self._seen = self._table.sample(_NUM_POINTS, rng)

  def draw_all(self):
    """({name: picture}, {name: why there is none})."""
    pictures, left_out = {}, {}
    for draw in (
      self.reconstructions,
      self.latent_traversals,
      self.factors_and_latents,
      self.distances,
      self.samples,
    ):
      try:
        pictures |= draw()
      except ModelError:
        raise
      except UserError as error:
        left_out[draw.__name__] = str(error)
    return pictures, left_out

  def reconstructions(self):
    self._check(data=True, images=True)
    if not self._model.has_decoder:
      raise UserError("the model has no decoder")
    shown = self._table.observe(self._seen.factors[:_SHOWN], self._rng)
    return {"reconstructions": np.stack(shown.reconstruct())}

  def latent_traversals(self):
    self._check(images=True, decoder=True)
    decode, latents = self._model.decode, self._model.num_latents
    rows = most_rows(self._model.interface.image_shape, _FRAMES)
    if latents > rows:
      print(f"latent_traversals: {rows} of {latents:,} latents are drawn")
    if self._data is None:
      shown = range(min(latents, rows))
      return _traversals(decode, np.zeros((2, latents)), shown, ["prior"])
    order = most_used_first(self._seen.codes, self._seen.log_variances)
    kinds = ["prior", "fitted", "range"]
    return _traversals(decode, self._seen.codes, order[:rows], kinds)

  def samples(self):
    self._check(images=True, decoder=True)
    rows, columns = _SAMPLES
    rows = min(rows, most_rows(self._model.interface.image_shape, columns))
    shape = (rows * columns, self._model.num_latents)
    samples = self._model.decode(self._rng.normal(size=shape))
    return {"samples": samples.reshape(rows, columns, *samples.shape[1:])}

  def factors_and_latents(self):
    self._check(data=True, factors=True)
    figure = factor_latent_figure(self._seen, self._table.space.names)
    return {"factors_and_latents": figure}

  def distances(self):
    self._check(data=True, images=True, factors=True)
    check_drawable(self._data.factors)
    images = self._num_traversals * max(self._data.factors.sizes)
    numbers = images * math.prod(self._data.observation_shape)
    if numbers > _MOST_NUMBERS:
      raise UserError(
        f"{images:,} images of one factor are too many: see num_traversals"
      )
    distances = perceived.level_distances(
      self._data,
      self._loss,
      self._model,
      num_traversals=self._num_traversals,
      rng=self._rng,
    )
    return {"distances": perceived.levels_figure(distances)}

  def _check(self, *, data=False, images=False, factors=False, decoder=False):
    """What a picture takes, as a reason not to draw it."""
    if data and self._data is None:
      raise UserError("no data set is named, add --data")
    if images and self._data is not None and len(self._data.observation_shape) != 3:
      raise UserError(f"{self._data.name} has no images")
    if factors and not self._data.has_factors:
      raise UserError(f"{self._data.name} has no ground-truth factors")
    if decoder and not self._model.interface.decode:
      raise UserError("the model does not decode codes")


def _traversals(decode, codes, order, kinds):
  """Figures of each kind, and a GIF of the first."""
  order = list(order)
  pictures = {
    f"latent_traversals_{kind}": latents_figure(decode, codes, order, kind)
    for kind in kinds
  }
  values = traversal_values(kinds[0], codes, _FRAMES)
  moving = latent_traversal(decode, codes[0], values=values, latents=order)
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
  values = traversal_values(kind, codes)
  images = latent_traversal(decode, codes[0], values=values, latents=list(order))
  return plots.traversals_figure(images, [f"latent {latent}" for latent in order])


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

"""All pictures of a model or of a manipulated data set, as files."""

import logging
import math
import os
from typing import Any

import numpy as np

from disentangle_tf import losses, perceived, plots
from disentangle_tf.arguments import check_count, check_instance, check_seed
from disentangle_tf.askable_model import AskableModel
from disentangle_tf.data import GroundTruthData, Manipulated, data_to_config
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.latent_use import most_used_first
from disentangle_tf.output_files import whole_output_dir, write_json
from disentangle_tf.perceived.perception import describe_loss, describe_model
from disentangle_tf.pictures.factor_latent import factor_latent_figure
from disentangle_tf.pictures.latent_planes import (
  PLANE_VALUES,
  latent_plane_figure,
  plane_latents,
)
from disentangle_tf.pictures.latent_traversals import (
  latent_traversal,
  latents_figure,
  samples,
  traversal_values,
)
from disentangle_tf.pictures.perceived_distances import levels_figure
from disentangle_tf.pictures.picture_files import (
  Picture,
  check_drawable,
  most_rows,
  write_pictures,
)

_LOG = logging.getLogger(__name__)

_NUM_POINTS = 2_000
_SHOWN = 9  # images in a row
_FRAMES = 24  # of a GIF
_SAMPLES = (6, 9)  # rows and columns
_MOST_NUMBERS = 2**27  # in the images behind the distances along a factor


def visualize(
  *,
  model: AskableModel | None,
  output_dir: str | os.PathLike,
  data: GroundTruthData | None = None,
  table: Any = None,
  loss: losses.ReconstructionLoss | None = None,
  num_traversals: int = 32,
  seed: int = 0,
  overwrite: bool = False,
) -> list[str]:
  """Draw reconstructions, traversals, samples, heat-maps and distances of a model.

  Without a data set, samples from the prior and traversals around its mean are drawn.
  With a `data.Manipulated` set, the changes of its images are drawn too; these need no
  model. Pictures that cannot be drawn are logged with the reason; the others are still
  drawn. settings.json records the settings.

  Args:
    model: an `AskableModel`, with a decoder for most of the pictures; or None.
    output_dir: folder for the pictures.
    data: the `GroundTruthData`.
    table: the `CodesTable` of the model's codes for the data; required with `data`.
    loss: the `losses.ReconstructionLoss` of the distances; by default MSE.
    num_traversals: traversals behind the distances.
    seed: of all random numbers.
    overwrite: move an existing `output_dir` aside first.

  Returns:
    Names of the written pictures.

  Raises:
    UserError: an argument is invalid, or there is nothing to draw.
    ModelError: the model misbehaves.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import pictures
    >>> class Grey:  # any `AskableModel`
    ...   observation_shape, num_latents = (4, 4, 1), 2
    ...   can_decode, can_reconstruct = True, False
    ...   def decode(self, codes):
    ...     return np.full([len(codes), 4, 4, 1], 0.5, np.float32)
    >>> names = pictures.visualize(model=Grey(), output_dir="pictures")
    >>> "samples.png" in names, "latent_traversals.gif" in names
    (True, True)
  """
  loss = losses.MSE() if loss is None else loss
  check_count("visualize", num_traversals=num_traversals)
  check_seed("visualize", seed=seed)
  check_instance("visualize", losses.ReconstructionLoss, "@losses.MSE()", loss=loss)
  if data is not None:
    check_instance("visualize", GroundTruthData, "@data.XYSquares()", data=data)
  rng = np.random.default_rng(seed)
  pictures, left_out = changed_images(data, rng), {}
  if model is not None:
    of_model, left_out = ModelPictures(
      model, data, table, loss=loss, num_traversals=num_traversals, rng=rng
    ).all()
    pictures = of_model | pictures
    if not pictures:
      raise UserError(
        "the model has no decoder and no data set is given: set visualize.data"
      )
  elif not pictures:
    raise UserError(
      "without a model only manipulated sets are drawn: set visualize.model"
    )
  for name, reason in left_out.items():
    _LOG.warning("not drawn: %s: %s", name, reason)
  settings = {
    "model": describe_model(model),
    "data": None if data is None else data_to_config(data),
    "loss": None if model is None else describe_loss(loss),
    "num_traversals": num_traversals,
    "seed": seed,
    "not_drawn": left_out,
  }
  with whole_output_dir(output_dir, overwrite=overwrite) as folder:
    write_json(folder / "settings.json", settings)
    return write_pictures(folder, pictures.items())


def changed_images(
  data: GroundTruthData | None, rng: np.random.Generator
) -> dict[str, Picture]:
  """{"original_change_sum": images} of a `data.Manipulated` set; {} of others.

  Args:
    data: a `GroundTruthData` or None.
    rng: a `numpy.random.Generator` that chooses the images.
  """
  if not isinstance(data, Manipulated):
    return {}
  points = data.factors.draw(_SHOWN, rng)
  images, changed = (each.observe(points).numpy() for each in (data.data, data))
  return {"original_change_sum": plots.change_rows(images, changed, data.epsilon)}


class ModelPictures:
  """All pictures of a model. Each method raises `UserError` if it cannot draw.

  Args:
    model, data, table, loss, num_traversals: see `visualize`.
    rng: a `numpy.random.Generator`.
  """

  def __init__(
    self,
    model: AskableModel,
    data: GroundTruthData | None,
    table: Any,
    *,
    loss: losses.ReconstructionLoss,
    num_traversals: int,
    rng: np.random.Generator,
  ) -> None:
    self._model, self._data, self._table = model, data, table
    self._loss, self._num_traversals, self._rng = loss, num_traversals, rng
    if data is not None:
      self._seen = table.sample(_NUM_POINTS, rng)

  def all(self) -> tuple[dict[str, Picture], dict[str, str]]:
    """Draw what can be drawn: ({name: picture}, {method: reason why it drew none})."""
    pictures, left_out = {}, {}
    for make in (
      self.reconstructions,
      self.latent_traversals,
      self.latent_plane,
      self.factors_and_latents,
      self.distances,
      self.samples,
    ):
      try:
        pictures |= make()
      except ModelError:
        raise
      except UserError as error:
        left_out[make.__name__] = str(error)
    return pictures, left_out

  def reconstructions(self) -> dict[str, Picture]:
    """Some images, and below them their reconstructions."""
    self._data_to_draw(images=True)
    if not self._model.can_reconstruct:
      raise UserError("the model has no decoder")
    shown = self._table.observe(self._seen.factors[:_SHOWN], self._rng)
    return {"reconstructions": np.stack(shown.reconstruct())}

  def latent_traversals(self) -> dict[str, Picture]:
    """Figures of each kind of `traversal_values`, and a GIF of the first."""
    self._check_decoder()
    latents = self._model.num_latents
    rows = most_rows(self._model.observation_shape, _FRAMES)
    if latents > rows:
      _LOG.warning(
        "latent_traversals: %d of %s latents are drawn", rows, f"{latents:,}"
      )
    if self._data is None:
      codes, kinds = np.zeros((2, latents)), ["prior"]
      order = list(range(min(latents, rows)))
    else:
      codes, kinds = self._seen.codes, ["prior", "fitted", "range"]
      order = list(most_used_first(codes, self._seen.log_variances)[:rows])
    decode = self._model.decode
    figures: dict[str, Picture] = {
      f"latent_traversals_{kind}": latents_figure(decode, codes, order, kind)
      for kind in kinds
    }
    values = traversal_values(kinds[0], codes, _FRAMES)
    moving = latent_traversal(decode, codes[0], values=values, latents=order)
    figures["latent_traversals"] = plots.traversals_to_gif(moving)
    return figures

  def latent_plane(self) -> dict[str, Picture]:
    """The two latents with the smallest posterior variance, moved at once."""
    self._check_decoder()
    if self._data is None:
      codes, log_variances, kind = np.zeros((2, self._model.num_latents)), None, "prior"
    else:
      codes, log_variances = self._seen.codes, self._seen.log_variances
      kind = "range"
    if most_rows(self._model.observation_shape, PLANE_VALUES) < PLANE_VALUES:
      raise UserError(f"{PLANE_VALUES**2} of its images are too large for a picture")
    latents = plane_latents(codes, log_variances)
    decode = self._model.decode
    return {
      "latent_plane": latent_plane_figure({"": (decode, codes, latents)}, kind=kind)
    }

  def samples(self) -> dict[str, Picture]:
    """Images decoded from samples of the prior."""
    self._check_decoder()
    rows, columns = _SAMPLES
    rows = min(rows, most_rows(self._model.observation_shape, columns))
    return {"samples": samples(self._model, self._rng, rows=rows, columns=columns)}

  def factors_and_latents(self) -> dict[str, Picture]:
    """What each latent knows of each factor."""
    self._data_to_draw(factors=True)
    seen, names = self._seen, self._table.space.names
    return {
      "factors_and_latents": factor_latent_figure(
        seen.codes, seen.log_variances, seen.factors, names
      )
    }

  def distances(self) -> dict[str, Picture]:
    """Distances along each factor, at all levels of the model."""
    data = self._data_to_draw(images=True, factors=True)
    check_drawable(data, distances=True)
    images = self._num_traversals * max(data.factors.sizes)
    numbers = images * math.prod(data.observation_shape)
    if numbers > _MOST_NUMBERS:
      raise UserError(
        f"{images:,} images of one factor are too many: reduce num_traversals"
      )
    perceived.check_traversable(data)
    distances = perceived.level_distances(
      data,
      self._loss,
      self._model,
      num_traversals=self._num_traversals,
      rng=self._rng,
    )
    return {"distances": levels_figure(distances)}

  def _data_to_draw(
    self, *, images: bool = False, factors: bool = False
  ) -> GroundTruthData:
    """The data set; a `UserError` if there is none or it lacks images or factors."""
    if self._data is None:
      raise UserError("no data set is given: set visualize.data")
    if images:
      check_drawable(self._data)
    if factors and not self._data.has_factors:
      raise UserError(f"{self._data.name} has no ground-truth factors")
    return self._data

  def _check_decoder(self) -> None:
    if self._data is not None:
      check_drawable(self._data)
    if not self._model.can_decode:
      raise UserError("the model does not decode codes")

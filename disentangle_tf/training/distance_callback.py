"""Distances between factors, images and codes, watched during training."""

from __future__ import annotations

import typing

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf import losses, metrics, perceived, pictures, plots
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.tensor_float_32 import tensor_float_32

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.losses import ReconstructionLoss
  from disentangle_tf.models import RepresentationModel


_NUM_TRAVERSALS = 8
_NUM_PAIRS = 512


class DistanceCallback(keras.callbacks.Callback):
  """Log distance matrices and the agreement of distances after each epoch of `fit`.

  The figure "distances" has a row per factor and a column per level of the model; the
  scalars "agreement/..." are `metrics.distance_agreement` over random pairs.

  Args:
    data: the `GroundTruthData`; its factors must be ground truth and a whole grid.
    directory: folder of the event file.
    loss: the `losses.ReconstructionLoss` that measures distances between images; by
      default the model's own.

  Reference: Michlo, Klein & James 2023, "Overlooked Implications of the Reconstruction
  Loss for VAE Disentanglement", figures 4 and 10.

  Example:
    >>> from disentangle_tf import data, training
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> callback = training.DistanceCallback(squares, "tensorboard")
    >>> callbacks = [callback]  # for model.fit(batches, callbacks=callbacks)
  """

  def __init__(
    self,
    data: GroundTruthData,
    directory: str | os.PathLike,
    *,
    loss: ReconstructionLoss | None = None,
  ) -> None:
    super().__init__()
    self.data = data
    self.loss = loss
    self._writer = tf.summary.create_file_writer(str(directory))

  def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
    model = typing.cast("RepresentationModel", self.model)
    step = int(model.optimizer.iterations.numpy())
    with self._writer.as_default(step=step):
      summarise_distances(model, self.data, loss=self.loss)
    self._writer.flush()

  def on_train_end(self, logs: dict | None = None) -> None:
    self._writer.close()


@tensor_float_32(False)
def summarise_distances(
  model: RepresentationModel,
  data: GroundTruthData,
  *,
  loss: ReconstructionLoss | None = None,
) -> None:
  """Write the summaries of `DistanceCallback` to the default writer."""
  watched = LiveModel(model)
  loss = loss or model.reconstruction or losses.MSE()
  rng = np.random.default_rng(0)
  distances = perceived.level_distances(
    data, loss, watched, num_traversals=_NUM_TRAVERSALS, rng=rng
  )
  figure = pictures.levels_figure(distances)
  png = tf.io.decode_png(plots.figure_to_png(figure), channels=3)
  tf.summary.image("distances", png[None])
  for name, score in _agreement(watched, data, loss, rng).items():
    tf.summary.scalar(f"agreement/{name}", score)


def _agreement(
  watched: LiveModel,
  data: GroundTruthData,
  loss: ReconstructionLoss,
  rng: np.random.Generator,
) -> dict[str, float]:
  points, others = (data.factors.draw(_NUM_PAIRS, rng).astype(int) for _ in range(2))
  images = [data.observe(part) for part in (points, others)]
  codes = [watched.encode(part)[0] for part in images]
  return metrics.distance_agreement(
    np.abs(points - others).sum(axis=1),
    loss.mean_distance(*images).numpy(),
    np.linalg.norm(codes[0] - codes[1], axis=1),
  )

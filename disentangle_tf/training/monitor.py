"""What TensorBoard shows of a training, perceived distances included."""

from __future__ import annotations

import concurrent.futures
import itertools
import logging
import typing
from collections.abc import Callable, Mapping

import keras
import numpy as np
import tensorflow as tf
from tensorboard.plugins.hparams import api as hparams_api
from tensorboard.plugins.scalar.summary_v2 import scalar_pb

from disentangle_tf import losses, metrics
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.random_streams import stream_seed
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
  from disentangle_tf import perceived, pictures, plots  # with matplotlib

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
  codes = [watched.encode(np.asarray(part))[0] for part in images]
  return metrics.distance_agreement(
    np.abs(points - others).sum(axis=1),
    loss.mean_distance(*images).numpy(),
    np.linalg.norm(codes[0] - codes[1], axis=1),
  )


_log = logging.getLogger(__name__)
_NUM_IMAGES = 256  # for the statistics of the latents
_NUM_SHOWN = 8
_PROFILED_CALL = 3  # of the training loop: compiled and warm by then
_ACTIVE = 0.01  # variance of an active unit's mean (Burda et al. 2016)


class Monitor:
  """Write scalars, images and settings of a run for TensorBoard.

  Args:
    model: the `RepresentationModel` in training.
    data: its `GroundTruthData`, from which a fixed sample is drawn.
    directory: folder of the event file; None writes nothing.
    seed: the run's seed.
    distances: whether to show distances at all levels with the images.
  """

  def __init__(
    self,
    model: RepresentationModel,
    data: GroundTruthData,
    directory: str | os.PathLike | None,
    *,
    seed: int,
    distances: bool = False,
  ) -> None:
    self._model = model
    self._data = data
    self._distances = distances
    self._directory = str(directory)
    self._writes = directory is not None
    self._writer = (
      tf.summary.create_file_writer(self._directory)
      if self._writes
      else tf.summary.create_noop_writer()
    )
    self._seed = stream_seed(seed, "monitor")
    rng = np.random.default_rng(self._seed.numpy())
    self._images = data.observe(data.factors.draw(_NUM_IMAGES, rng))
    self._statistics = tf.function(self._of_latents)
    self._drawing = concurrent.futures.ThreadPoolExecutor(1)
    self._drawn: concurrent.futures.Future | None = None
    self._profile_is_due = False

  def settings(
    self, config_text: str, hyper_parameters: Mapping[str, typing.Any]
  ) -> None:
    """Write the configuration as text, and {name: value} for the HPARAMS page."""
    markdown = "\n".join(f"    {line}" for line in config_text.splitlines())
    with self._writer.as_default(step=0):
      tf.summary.text("configuration", markdown)
      hparams_api.hparams(hyper_parameters)

  def scalars(
    self, step: int, terms: Mapping[str, float], images_per_second: float
  ) -> None:
    """Write loss terms, KL per latent, active units, learning rate and speed."""
    statistics = self._statistics()
    shown = {f"loss/{name}": value for name, value in terms.items()}
    if "divergence" in statistics:
      divergences = statistics["divergence"].numpy()
      for latent, value in enumerate(divergences):
        shown[f"kl_per_latent/{latent:02d}"] = value
      shown["latents/kl"] = divergences.sum()
    variance = statistics["variance"].numpy()
    shown["latents/active_units"] = int(np.sum(variance > _ACTIVE))
    shown["speed/images_per_second"] = images_per_second
    shown["optimizer/learning_rate"] = self._model.optimizer.learning_rate.numpy()
    self._write_scalars(step, shown)

  def scores(self, step: int, scores: Mapping[str, float]) -> None:
    """Write {name: value} of metrics, under the names that `evaluate` uses."""
    self._write_scalars(step, {f"scores/{name}": v for name, v in scores.items()})

  def pictures(self, step: int) -> None:
    """Write reconstructions below their images, latent traversals and distances."""
    if self._distances:
      with self._writer.as_default(step=step):
        summarise_distances(self._model, self._data)
    if self._model.decoder is None or len(self._images.shape) != 4:
      return  # no images to show
    from disentangle_tf.pictures import latent_traversal, reconstructions

    shown = self._images[:_NUM_SHOWN].numpy()
    statistics = self._statistics()
    # KL per latent; without a prior, the variance of its means.
    importance = statistics.get("divergence", statistics["variance"]).numpy()
    order = np.argsort(-importance)
    traversal = latent_traversal(self._model.decode_images, statistics["means"][0])
    pairs = reconstructions(LiveModel(self._model), shown)
    rows = {"reconstructions": pairs, "latent_traversals_by_kl": traversal[order]}
    self._await_pictures()
    self._drawn = self._drawing.submit(self._write_pictures, step, rows)

  def _write_pictures(self, step: int, pictures: Mapping[str, np.ndarray]) -> None:
    """Encode and write; called in another thread, while training goes on."""
    from disentangle_tf.plots import image_grid

    for name, rows in pictures.items():
      scale = max(1, 32 // rows.shape[2])  # about the size that TensorBoard shows
      with self._writer.as_default(step=step):
        tf.summary.image(name, image_grid(rows, scale=scale, padding=2)[None])
    self._writer.flush()

  def _await_pictures(self) -> None:
    """Wait until the last pictures are written; raise what went wrong."""
    if self._drawn is not None:
      self._drawn.result()
    self._drawn = None

  def _write_scalars(self, step: int, scalars: Mapping[str, typing.Any]) -> None:
    """Write {tag: value} at once, as many `tf.summary.scalar` would."""
    each = (scalar_pb(tag, value) for tag, value in scalars.items())
    joined = b"".join(summary.SerializeToString() for summary in each)
    with self._writer.as_default(step=step):
      tf.summary.experimental.write_raw_pb(joined)
    self._writer.flush()

  def _of_latents(self) -> dict[str, tf.Tensor]:
    """What the model makes of the sample: one graph, so that it is asked once."""
    posterior = self._model.encode(self._images)
    means = posterior.mean()
    found = {"means": means, "variance": tf.math.reduce_variance(means, axis=0)}
    if self._model.prior is not None:
      codes = self._model.sample(posterior, self._seed)
      divergence = self._model.divergence(posterior, codes)
      found["divergence"] = tf.reduce_mean(divergence, axis=0)
    return found

  def recording(
    self,
    run: Callable[[int, int], dict[str, np.ndarray]],
    *,
    graph: bool,
    profile: bool,
  ) -> Callable[[int, int], dict[str, np.ndarray]]:
    """Wrap `run` to record the graph of its first call or a profile of a later one.

    Args:
      run: takes steps, as `StepRunner.run` does.
      graph, profile: what to record.
    """
    if not self._writes:
      return run
    calls = itertools.count()
    self._profile_is_due = profile

    def recorded(*arguments: int) -> dict[str, np.ndarray]:
      call = next(calls)
      if graph and call == 0:
        return self._with_graph(run, arguments)
      if profile and call == _PROFILED_CALL:
        self._profile_is_due = False
        with tf.profiler.experimental.Profile(self._directory):
          return run(*arguments)
      return run(*arguments)

    return recorded

  def _with_graph(
    self, run: Callable[[int, int], dict[str, np.ndarray]], arguments: tuple[int, ...]
  ) -> dict[str, np.ndarray]:
    tf.summary.trace_on(graph=True)
    result = run(*arguments)
    with self._writer.as_default(step=0):
      tf.summary.trace_export("training_steps")
    return result

  def __enter__(self) -> Monitor:
    return self

  def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
    self._drawing.shutdown()
    self._writer.close()
    if self._profile_is_due:
      _log.warning("Watching.profile: the run was too short to record a profile")
    if kind is None:
      self._await_pictures()

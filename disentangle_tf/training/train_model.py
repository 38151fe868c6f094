"""Train a model, from its settings to its export."""

from __future__ import annotations

import contextlib
import functools
import logging
import pathlib
import typing
from collections.abc import Callable

from disentangle_tf import export
from disentangle_tf.arguments import check_count, check_instance, check_seed
from disentangle_tf.data import Batches, GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.half_precision import check_precision
from disentangle_tf.scoring.measurement import check_factors
from disentangle_tf.tensor_float_32 import tensor_float_32
from disentangle_tf.training import devices
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.model_building import (
  build_model,
  report_partial_statistics,
  uses_xla,
)
from disentangle_tf.training.monitor import Monitor
from disentangle_tf.training.pending_scores import has_pending_scores
from disentangle_tf.training.run_description import (
  RunDescription,
  read_hyper_parameters,
)
from disentangle_tf.training.scorer import NothingScored, Scorer
from disentangle_tf.training.session import open_session
from disentangle_tf.training.settings import (
  Computing,
  Sampling,
  Saving,
  Scoring,
  Watching,
)
from disentangle_tf.training.workers import Workers

if typing.TYPE_CHECKING:
  import os

  import keras

  from disentangle_tf.models import RepresentationModel

_log = logging.getLogger(__name__)
_Group = typing.TypeVar("_Group")


def train(
  *,
  model: Callable[[], RepresentationModel],
  data: GroundTruthData,
  optimizer: Callable[[], keras.optimizers.Optimizer],
  steps: int,
  output_dir: str | os.PathLike,
  batch_size: int = 256,
  seed: int = 0,
  sampling: Sampling | None = None,
  computing: Computing | None = None,
  watching: Watching | None = None,
  saving: Saving | None = None,
  scoring: Scoring | None = None,
  description: RunDescription | None = None,
  resume: bool = False,
  overwrite: bool = False,
  dry_run: bool = False,
) -> pathlib.Path | None:
  """Train a model with checkpoints and TensorBoard, and export it at the end.

  `output_dir` then holds checkpoints/, tensorboard/, export/ and the description, and
  scores.jsonl if scores were taken.

  Args:
    model: a class or function without arguments that makes the model. It is called
      inside the strategy's scope.
    data: a `GroundTruthData`.
    optimizer: a class or function without arguments that makes the Keras optimiser.
    steps: number of training steps.
    output_dir: folder for everything that the run writes.
    batch_size: observations per step, over all replicas.
    seed: of the weights, the batches and the latent noise.
    sampling: a `Sampling`: what a batch consists of; by default single images.
    computing: a `Computing`: devices, XLA, number format.
    watching: a `Watching`: what TensorBoard shows, and how often.
    saving: a `Saving`: how often checkpoints are written, and how many are kept.
    scoring: a `Scoring`: metrics taken during training; by default none.
    description: a `RunDescription`: the configuration as text and as hyper-parameters,
      which a resumed run must match.
    resume: continue from the newest checkpoint in `output_dir`, if there is one.
    overwrite: move an existing `output_dir` aside first.
    dry_run: build everything and log the configuration, but write nothing.

  Returns:
    The folder of the exported model, or None after a dry run.

  Raises:
    UserError: if an argument, the model or the folder does not allow the training.
    KeyboardInterrupt: after Ctrl-C or SIGTERM, with a checkpoint of the last step.

  Example:
    >>> import keras
    >>> from disentangle_tf import data, losses, models, networks, training
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> shape = squares.observation_shape
    >>> def make_model():
    ...   encoder = networks.mlp_encoder(shape, latents=2)
    ...   decoder = networks.mlp_decoder(shape, latents=2)
    ...   return models.BetaVAE(encoder, decoder, losses.MSE(), beta=0.1)
    >>> training.train(
    ...   model=make_model,
    ...   data=squares,
    ...   optimizer=keras.optimizers.Adam,
    ...   steps=1_000,
    ...   batch_size=4,
    ...   output_dir="runs/mine",
    ...   dry_run=True,  # builds everything, but takes no step
    ... )
  """
  check_count("train", steps=steps, batch_size=batch_size)
  check_seed("train", seed=seed)
  check_instance("train", GroundTruthData, "data.XYSquares()", data=data)
  sampling = _group(Sampling, sampling=sampling)
  computing = _group(Computing, computing=computing)
  watching = _group(Watching, watching=watching)
  saving = _group(Saving, saving=saving)
  scoring = _group(Scoring, scoring=scoring)
  description = _group(RunDescription, description=description)
  _check_that_distances_exist(watching, data)
  scoring = scoring.with_measurements(description.measurements(scoring.measurements))
  check_factors(scoring.measurements, data)
  if not devices.on_gpu():
    check_precision(computing.precision)
  strategy = computing.strategy or devices.default_strategy()
  if computing.strategy is None:
    devices.report_idle_gpus()
  workers = Workers(strategy)
  interruption = Interruption()
  # Several workers stop where all agree to, between two calls of the loop.
  heard = interruption.noted() if workers.several else contextlib.nullcontext()
  with (
    workers.losses_reported(),
    heard,
    interruption.watch(),
    devices.number_format(computing.precision, deterministic=computing.deterministic),
    tensor_float_32(computing.tensor_float_32),
  ):
    built = build_model(model, optimizer, strategy=strategy, seed=seed)
    if strategy.num_replicas_in_sync > 1:
      report_partial_statistics(built)
    _check_that_images_fit(built, data)
    batches = Batches(
      data,
      batch_size=batch_size,
      seed=seed,
      num_replicas=strategy.num_replicas_in_sync,
      draw=sampling.draw,
      label_of=sampling.label_of,
      labelled_set=sampling.labelled_set,
    )
    built.check_batch(batches.make(0))
    config_text = description.text()
    if dry_run:
      _log.info("%s", config_text)
      _log.info(
        "# %s weights, %s images; dry run",
        f"{built.count_params():,}",
        f"{len(data):,}",
      )
      return None
    output_dir = pathlib.Path(output_dir)
    with open_session(
      built,
      output_dir,
      whose="train",
      steps=steps,
      text=config_text,
      description=description,
      saving=saving,
      workers=workers,
      interruption=interruption,
      resume=resume,
      overwrite=overwrite,
    ) as session:
      hyper_parameters = (
        description.hyper_parameters()
        if description.hyper_parameters
        else read_hyper_parameters(built, data, batch_size=batch_size, seed=seed)
      )
      exported = output_dir / "export"
      if session.is_finished and exported.exists():
        return exported
      if not session.is_finished or has_pending_scores(output_dir):
        watched = output_dir / "tensorboard" if workers.is_chief else None
        with (
          Monitor(
            built, data, watched, seed=seed, distances=watching.distances
          ) as monitor,
          Scorer(
            built, data, scoring, output_dir, monitor, first_step=session.first_step
          )
          if workers.is_chief
          else NothingScored() as scorer,
        ):
          monitor.settings(config_text, hyper_parameters)
          session.learn(
            batches,
            monitor,
            strategy=strategy,
            jit_compile=uses_xla(
              computing.jit_compile,
              [built],
              strategy,
              steps,
              whose="training.Computing",
              precision=computing.precision,
            ),
            watching=watching,
            scorer=scorer,
            recording=functools.partial(
              monitor.recording, graph=watching.trace_graph, profile=watching.profile
            ),
          )
      if not workers.is_chief:
        return exported
      # As `fit` does: weights become their averages if the optimiser keeps those.
      built.optimizer.finalize_variable_values(built.trainable_variables)
      return export.write_export(
        built,
        exported,
        data=data,
        config_text=config_text,
        seed=seed,
        step=steps,
        hyper_parameters=hyper_parameters,
        overwrite=True,  # an export after fewer steps
      )


def _group(wanted: type[_Group], **given: object) -> _Group:
  """The given group of settings, or by default the group with all defaults."""
  ((name, group),) = given.items()
  if group is None:
    return wanted()
  check_instance("train", wanted, f"training.{wanted.__name__}()", **{name: group})
  return typing.cast("_Group", group)


def _check_that_distances_exist(watching: Watching, data: GroundTruthData) -> None:
  if watching.distances and not (data.has_factors and data.factors.is_whole):
    raise UserError(
      f"Watching.distances: {data.name} has no whole grid of ground-truth factors"
    )


def _check_that_images_fit(model: RepresentationModel, data: GroundTruthData) -> None:
  wanted, given = model.encoder.input_shape[1:], tuple(data.observation_shape)
  if wanted != given:
    raise UserError(
      f"the encoder takes images of shape {wanted}, {data.name} gives {given}: "
      "set image_shape of the networks to the data set's"
    )

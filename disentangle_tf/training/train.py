"""Training, from configuration to export."""

import contextlib
import functools
import pathlib

from disentangle_tf import export
from disentangle_tf.argument_checks import check_count, check_instance, check_seed
from disentangle_tf.data import Batches, GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.measurement import check_factors
from disentangle_tf.half_precision import check_precision
from disentangle_tf.tensor_float_32 import tensor_float_32
from disentangle_tf.training import devices
from disentangle_tf.training.build_model import build_model
from disentangle_tf.training.computing import Computing
from disentangle_tf.training.hyper_parameters import read_hyper_parameters
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.monitor import Monitor
from disentangle_tf.training.replica_limits import print_partial_statistics
from disentangle_tf.training.run_description import RunDescription
from disentangle_tf.training.sampling import Sampling
from disentangle_tf.training.saving import Saving
from disentangle_tf.training.scorer import Scorer
from disentangle_tf.training.scoring import Scoring
from disentangle_tf.training.session import open_session
from disentangle_tf.training.watching import Watching
from disentangle_tf.training.workers import Workers


def train(
  *,
  model,
  data,
  optimizer,
  steps,
  output_dir,
  batch_size=256,
  seed=0,
  sampling=None,
  computing=None,
  watching=None,
  saving=None,
  scoring=None,
  description=None,
  resume=False,
  overwrite=False,
  dry_run=False,
):
  """Trains a model, watches it, keeps checkpoints, and exports it at the end.

  `output_dir` then holds checkpoints/, tensorboard/, export/, the description, and
  scores.jsonl if scores were taken on the way.

  Args:
    model: makes the model: a class or function that takes no arguments, called inside
      the strategy's scope.
    data: a `GroundTruthData`.
    optimizer: makes the Keras optimiser, like `model`.
    steps: number of training steps.
    output_dir: folder for all that the run writes.
    batch_size: observations per step, over all replicas.
    seed: of the weights, the batches and the latent noise.
    sampling: a `Sampling`: what a batch consists of; single images by default.
    computing: a `Computing`: devices, XLA, number format.
    watching: a `Watching`: what TensorBoard shows, and how often.
    saving: a `Saving`: how often checkpoints are written, and how many stay.
    scoring: a `Scoring`: metrics taken on the way, none by default.
    description: a `RunDescription`: the configuration as text, as hyper-parameters, and
      compared when the run is resumed.
    resume: go on from the newest checkpoint in `output_dir`, if there is one.
    overwrite: move an existing `output_dir` aside first.
    dry_run: build everything, print the configuration, write nothing.

  Returns:
    The exported model's folder, or None after a dry run.

  Example:
    train(
      model=make_model,
      data=XYSquares(),
      optimizer=keras.optimizers.Adam,
      steps=10_000,
      output_dir="runs/mine",
      watching=Watching(log_every=10),
    )
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
    devices.print_idle_gpus()
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
      print_partial_statistics(built)
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
      print(config_text)
      print(f"# {built.count_params():,} weights, {len(data):,} images; dry run")
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
      if not session.is_finished:
        watched = output_dir / "tensorboard" if workers.is_chief else None
        with Monitor(
          built, data, watched, seed=seed, distances=watching.distances
        ) as monitor:
          monitor.settings(config_text, hyper_parameters)
          scorer = (
            Scorer(
              built, data, scoring, output_dir, monitor, first_step=session.first_step
            )
            if workers.is_chief
            else None
          )
          session.learn(
            batches,
            monitor,
            strategy=strategy,
            jit_compile=_jit_compile(computing),
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
        overwrite=True,  # that of fewer steps
      )


def _group(wanted, **given):
  """The group of settings that was given, or the one with all defaults."""
  ((name, group),) = given.items()
  if group is None:
    return wanted()
  check_instance("train", wanted, f"training.{wanted.__name__}()", **{name: group})
  return group


def _jit_compile(computing):
  return devices.on_gpu() if computing.jit_compile is None else computing.jit_compile


def _check_that_distances_exist(watching, data):
  if watching.distances and not (data.has_factors and data.factors.is_whole):
    raise UserError(
      f"Watching.distances: {data.name} has no whole grid of ground-truth factors"
    )


def _check_that_images_fit(model, data):
  wanted, given = model.encoder.input_shape[1:], tuple(data.observation_shape)
  if wanted != given:
    raise UserError(
      f"the encoder takes images of shape {wanted}, {data.name} gives {given}: "
      "set image_shape of the networks to the data set's"
    )

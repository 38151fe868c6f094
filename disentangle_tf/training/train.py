"""Training, from configuration to export."""

import contextlib
import dataclasses
import pathlib
import time

import keras
import numpy as np
import tensorflow as tf
from keras.optimizers import Optimizer

from disentangle_tf import export
from disentangle_tf.argument_checks import (
  check_count,
  check_instance,
  check_seed,
  check_truth,
)
from disentangle_tf.data import Batches, GroundTruthData, draw_single
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import (
  check_output_dir,
  prepare_output_dir,
  write_text,
)
from disentangle_tf.progress import progress_bar
from disentangle_tf.training import devices
from disentangle_tf.training.check_optimizer import check_optimizer
from disentangle_tf.training.checkpoints import Checkpoints
from disentangle_tf.training.folder_lock import folder_lock
from disentangle_tf.training.hyper_parameters import read_hyper_parameters
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.monitor import Monitor
from disentangle_tf.training.step_runner import StepRunner

_EXAMPLES = {"model": "@models.BetaVAE", "optimizer": "@keras.optimizers.Adam"}
_SECONDS_A_CALL = 1.0  # so that the bar moves and Ctrl-C is heard


def train(
  *,
  model,
  data,
  optimizer,
  steps,
  output_dir,
  batch_size=256,
  draw=draw_single,
  label_of=None,
  labelled_set=None,
  seed=0,
  strategy=None,
  jit_compile=None,
  precision="float32",
  deterministic=False,
  log_every=100,
  pictures_every=1000,
  checkpoint_every=1000,
  keep_checkpoints=3,
  watch_distances=False,
  trace_graph=False,
  profile=False,
  resume=False,
  overwrite=False,
  dry_run=False,
  describe=str,
  hyper_parameters=None,
):
  """Trains a model, watches it, keeps checkpoints, and exports it at the end.

  `output_dir` then holds config.gin, checkpoints/, tensorboard/ and export/.

  Args:
    model: makes the model: a class or function that takes no arguments (under gin,
      `@models.BetaVAE` without parentheses), called inside the strategy's scope.
    data: a `GroundTruthData`.
    optimizer: makes the Keras optimiser, like `model`.
    steps: number of training steps.
    output_dir: folder for all that the run writes.
    batch_size: observations a step, over all replicas.
    draw: sampler of a batch's factors, see `data.samplers`.
    label_of, labelled_set: what a batch has besides images, see `Batches`.
    seed: of the weights, the batches and the latent noise.
    strategy: a `tf.distribute.Strategy`; by default all GPUs, or else the CPU.
    jit_compile: compile the step with XLA, on a single replica; by default on a GPU
      only. On a CPU it helps small dense networks and hinders convolutions.
    precision: Keras dtype policy: float32, mixed_float16 or mixed_bfloat16.
    deterministic: bit-for-bit repeatable, somewhat slower.
    log_every, pictures_every, checkpoint_every: in steps.
    keep_checkpoints: how many of the newest stay.
    watch_distances: with the pictures, show distances between factors, images, codes
      and reconstructions, and how they agree; the factors must be a whole grid.
    trace_graph, profile: record the graph, or a profile of some steps, in TensorBoard.
    resume: go on from the newest checkpoint in `output_dir`, if there is one.
    overwrite: move an existing `output_dir` aside first.
    dry_run: build everything, print the configuration, write nothing.
    describe: gives the configuration as text; called once everything is built, and
      before anything is written.
    hyper_parameters: gives {name: number, truth value or text} then, for TensorBoard's
      HPARAMS page and the export's manifest; by default what the model, its parts and
      the data were made with.

  Returns:
    The exported model's folder, or None after a dry run.
  """
  check_count(
    "train",
    steps=steps,
    batch_size=batch_size,
    log_every=log_every,
    pictures_every=pictures_every,
    checkpoint_every=checkpoint_every,
    keep_checkpoints=keep_checkpoints,
  )
  check_seed("train", seed=seed)
  check_truth(
    "train",
    deterministic=deterministic,
    watch_distances=watch_distances,
    trace_graph=trace_graph,
    profile=profile,
  )
  _check_arguments(
    model=model,
    optimizer=optimizer,
    data=data,
    draw=draw,
    strategy=strategy,
  )
  if jit_compile is not None:
    check_truth("train", jit_compile=jit_compile)
  if watch_distances and not (data.has_factors and data.factors.is_whole):
    raise UserError(
      f"train.watch_distances: {data.name} has no whole grid of ground-truth factors"
    )
  strategy = strategy or devices.default_strategy()
  if jit_compile and strategy.num_replicas_in_sync > 1:
    print("train.jit_compile: several replicas are not compiled with XLA")
  jit_compile = devices.on_gpu() if jit_compile is None else jit_compile
  with devices.number_format(precision, deterministic=deterministic):
    built = _build(model, optimizer, strategy, seed)
    _check_that_images_fit(built, data)
    batches = Batches(
      data,
      batch_size=batch_size,
      seed=seed,
      draw=draw,
      label_of=label_of,
      labelled_set=labelled_set,
      num_replicas=strategy.num_replicas_in_sync,
    )
    built.check_batch(batches.make(0))
    config_text = describe()
    if dry_run:
      print(config_text)
      print(f"# {built.count_params():,} weights, {len(data):,} images; dry run")
      return None
    chief = devices.is_chief(strategy)
    output_dir = pathlib.Path(output_dir)
    claimed = _claimed(output_dir, resume, overwrite)
    interruption = Interruption()
    with interruption.watch(), claimed if chief else contextlib.nullcontext():
      if chief:
        _check_configuration(output_dir / "config.gin", config_text)
      devices.wait_for_all_workers(strategy)
      checkpoints = Checkpoints(
        built, output_dir / "checkpoints", keep=keep_checkpoints, writes=chief
      )
      first_step = checkpoints.restore()
      if first_step > steps:
        raise UserError(
          f"{output_dir} is trained for {first_step} steps already and train.steps is "
          f"{steps}: ask for {first_step} or more, or name another output_dir"
        )
      if chief:
        write_text(output_dir / "config.gin", config_text)
      settings = (
        hyper_parameters()
        if hyper_parameters
        else read_hyper_parameters(built, data, batch_size=batch_size, seed=seed)
      )
      if first_step < steps:
        runner = StepRunner(
          built,
          batches,
          strategy=strategy,
          jit_compile=jit_compile,
          first_step=first_step,
          last_step=steps,
        )
        watched = output_dir / "tensorboard" if chief else None
        with Monitor(
          built, data, watched, seed=seed, distances=watch_distances
        ) as monitor:
          monitor.settings(config_text, settings)
          _take_steps(
            monitor.recording(runner.run, graph=trace_graph, profile=profile),
            monitor,
            checkpoints,
            interruption,
            events=_Events(log_every, pictures_every, checkpoint_every, steps),
            step=first_step,
            batch_size=batch_size,
          )
      exported = output_dir / "export"
      if not chief or (first_step == steps and exported.exists()):
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
        hyper_parameters=settings,
        overwrite=True,  # that of fewer steps
      )


@contextlib.contextmanager
def _claimed(output_dir, resume, overwrite):
  """Prepares the folder and keeps other processes out of it inside the block."""
  check_output_dir(output_dir, resume=resume, overwrite=overwrite)
  in_the_way = overwrite and output_dir.is_dir() and any(output_dir.iterdir())
  with folder_lock(output_dir) if in_the_way else contextlib.nullcontext():
    prepare_output_dir(output_dir, resume=resume, overwrite=overwrite)
  with folder_lock(output_dir):
    yield


@dataclasses.dataclass(frozen=True)
class _Events:
  """When the loop looks up: every so many steps, and at the end."""

  log: int
  pictures: int
  checkpoint: int
  end: int

  def due(self, name, step):
    return step % getattr(self, name) == 0 or step == self.end

  def distance(self, step):
    """Steps from `step` to the next event."""
    periods = (self.log, self.pictures, self.checkpoint)
    return min(self.end - step, *(period - step % period for period in periods))


def _check_arguments(*, model, optimizer, data, draw, strategy):
  made = {"model": (model, keras.Model), "optimizer": (optimizer, Optimizer)}
  for name, (value, kind) in made.items():
    if isinstance(value, kind) or not callable(value):
      raise UserError(
        f"train.{name} is {_short(value)}: it must be what makes the {name}, a class "
        f"or function without parentheses, such as {_EXAMPLES[name]}"
      )
  check_instance("train", GroundTruthData, "@data.XYSquares()", data=data)
  if not callable(draw):
    raise UserError(f"train.draw is {draw!r}: it must be one such as @data.draw_single")
  if strategy is not None:
    example = "@tf.distribute.MirroredStrategy()"
    check_instance("train", tf.distribute.Strategy, example, strategy=strategy)


def _short(value):
  return f"a {type(value).__name__}" if callable(value) else repr(value)


def _build(model, optimizer, strategy, seed):
  made = optimizer()
  check_instance("train", Optimizer, _EXAMPLES["optimizer"], optimizer=made)
  check_optimizer(made)
  with strategy.scope():
    keras.utils.set_random_seed(seed)
    built = model()
    check_instance("train", keras.Model, _EXAMPLES["model"], model=built)
    built.seed = seed
    built.compile(optimizer(), jit_compile=False)  # the step runner compiles
    built.optimizer.build(built.trainable_variables)
  other = getattr(built, "discriminator_optimizer", None)
  if other is not None:
    check_optimizer(type(other).from_config(other.get_config()))
  return built


def _take_steps(run, monitor, checkpoints, interruption, *, events, step, batch_size):
  """The loop: a few steps a call, then whatever is due."""
  steps_a_call = 1
  window = _Window(batch_size)
  bar = progress_bar(events.end, initial=step, unit="step", dynamic_ncols=True, delay=0)
  with interruption.noted(), bar:
    while step < events.end and not interruption.requested:
      count = min(steps_a_call, events.distance(step))
      started = time.perf_counter()
      terms = run(step, count)
      seconds = time.perf_counter() - started
      _check_finite(terms, step, checkpoints)
      step += count
      window.add(terms, seconds)
      steps_a_call = min(2 * steps_a_call, _affordable(count, seconds))
      bar.set_postfix(window.summary(), refresh=False)
      bar.update(count)
      if events.due("log", step):
        monitor.scalars(step, window.means(), window.images_per_second())
        window = _Window(batch_size)
      if events.due("pictures", step):
        monitor.pictures(step)
      if events.due("checkpoint", step):
        checkpoints.save(step)
  if interruption.requested and step < events.end:
    checkpoints.save(step)
    print(f"stopped after step {step}; --resume goes on from there")
    raise KeyboardInterrupt


class _Window:
  """Loss terms and time since the last entry in the log."""

  def __init__(self, batch_size):
    self._batch_size = batch_size
    self._terms = []
    self._seconds = 0.0

  def add(self, terms, seconds):
    self._terms.append(terms)
    self._seconds += seconds

  def means(self):
    names = self._terms[0]
    return {
      name: float(np.mean(np.concatenate([terms[name] for terms in self._terms])))
      for name in names
    }

  def images_per_second(self):
    steps = sum(len(terms["loss"]) for terms in self._terms)
    return steps * self._batch_size / self._seconds

  def summary(self):
    """For the progress bar."""
    means = {name: f"{value:.4g}" for name, value in self.means().items()}
    return {"images/s": f"{self.images_per_second():,.0f}", **means}


def _affordable(count, seconds):
  """Steps that fit into a call of the usual length, at the speed just seen."""
  return max(1, int(count * _SECONDS_A_CALL / seconds))


def _check_finite(terms, step, checkpoints):
  for name, values in terms.items():
    bad = np.flatnonzero(~np.isfinite(values))
    if name != "loss" and len(bad):
      kept = checkpoints.latest_step
      raise UserError(
        f"the loss term {name!r} is {values[bad[0]]} at step {step + bad[0] + 1}; "
        + (f"the checkpoint of step {kept} is good" if kept else "no checkpoint yet")
        + ": try a lower learning rate or weight"
      )


def _check_that_images_fit(model, data):
  wanted, given = model.encoder.input_shape[1:], tuple(data.observation_shape)
  if wanted != given:
    raise UserError(
      f"the encoder takes images of shape {wanted}, {data.name} gives {given}: "
      "set image_shape of the networks to the data set's"
    )


def _check_configuration(path, text):
  """A resumed run must have the configuration it began with."""
  if path.exists():
    before, now = (_settings(content) for content in (path.read_text(), text))
    changed = sorted(before ^ now)
    if changed:
      raise UserError(
        f"{path} differs from this configuration in {changed[0]!r}: resume with the "
        "settings the run began with (only the steps may change), or name another "
        "output_dir"
      )


def _settings(config_text):
  """The lines that matter, gin's continuation lines joined; more steps are welcome."""
  joined = config_text.replace("\\\n", " ")
  lines = {" ".join(line.split()) for line in joined.splitlines()}
  ignored = ("#", "STEPS =", "training.train.steps =")
  return {line for line in lines if not line.startswith(ignored)}

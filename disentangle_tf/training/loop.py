"""The training loop: many steps per call, then what is due."""

from __future__ import annotations

import dataclasses
import logging
import time
import typing
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.progress import progress_bar
from disentangle_tf.training.model_building import what_xla_cannot_compile

if typing.TYPE_CHECKING:
  import keras

  from disentangle_tf.data import Batches
  from disentangle_tf.training.checkpoints import Checkpoints
  from disentangle_tf.training.interruption import Interruption
  from disentangle_tf.training.scorer import NothingScored, Scorer
  from disentangle_tf.training.settings import Saving, Watching


_log = logging.getLogger(__name__)


class StepRunner:
  """Run `model.train_step` over consecutive steps, on all replicas.

  If the data set renders on the device, batches are made there, within the step;
  otherwise a tf.data pipeline fetches what the device needs, such as bytes, and the
  step makes floats of it. The number of steps per call affects speed only.

  Args:
    model: a compiled `RepresentationModel`.
    batches: `Batches` for as many replicas as `strategy` has.
    strategy: a `tf.distribute.Strategy`.
    jit_compile: whether XLA compiles the step. With several replicas it compiles the
      batches and the gradients, which are then summed; models whose loss needs all
      replicas at once are not compiled, and a log line says so.
    first_step, last_step: the steps to come, in order.
  """

  def __init__(
    self,
    model: keras.Model,
    batches: Batches,
    *,
    strategy: tf.distribute.Strategy,
    jit_compile: bool,
    first_step: int,
    last_step: int,
  ) -> None:
    self._model = model
    # As in `fit`: Python code becomes a graph without AutoGraph, which takes seconds.
    self._train = tf.autograph.experimental.do_not_convert(model.train_step)
    self._batches = batches
    self._strategy = strategy
    self._steps = (first_step, last_step)
    self._names = []
    self._make = batches.make
    if batches.data.renders_on_device:
      self._inputs = None
      self._replica_step = self._render_and_train
    else:
      self._inputs = iter(strategy.distribute_datasets_from_function(self._pipeline))
      self._replica_step = self._convert_and_train
    self._recorded_step = self._step_of_replica
    if jit_compile:
      self._compile()
    self._run = tf.function(self._run_eagerly, reduce_retracing=True)

  def run(self, first_step: int, num_steps: int) -> dict[str, np.ndarray]:
    """Take the steps; return {term: [num_steps] array}, the loss among them."""
    record = self._run(tf.constant(first_step), tf.constant(num_steps)).numpy()
    return dict(zip(self._names, record.T, strict=True))

  def _compile(self) -> None:
    if self._strategy.num_replicas_in_sync == 1:
      self._recorded_step = tf.function(self._step_of_replica, jit_compile=True)
      return
    obstacle = what_xla_cannot_compile(self._model)
    if obstacle:
      _log.info(
        "Computing.jit_compile: with several replicas XLA does not compile %s", obstacle
      )
    else:
      self._make = tf.function(self._make, jit_compile=True)
      self._model.compile_gradients = True

  def _run_eagerly(self, first_step: tf.Tensor, num_steps: tf.Tensor) -> tf.Tensor:
    record = tf.TensorArray(tf.float32, size=num_steps)
    for i in tf.range(num_steps):
      record = record.write(i, self._one_step(first_step + i))
    return record.stack()

  def _one_step(self, step: tf.Tensor) -> tf.Tensor:
    """Values of all terms, [terms]: stacked first, so that replicas meet once."""
    inputs = step if self._inputs is None else next(self._inputs)
    values = self._strategy.run(self._recorded_step, args=(inputs,))
    return self._strategy.reduce(tf.distribute.ReduceOp.MEAN, values, axis=None)

  def _step_of_replica(self, inputs: typing.Any) -> tf.Tensor:
    terms = self._replica_step(inputs)
    self._names = list(terms)  # known once the step has been traced
    return tf.stack(list(terms.values()))

  def _render_and_train(self, step: tf.Tensor) -> dict[str, tf.Tensor]:
    replica = tf.distribute.get_replica_context().replica_id_in_sync_group
    return self._train(self._make(step, replica))

  def _convert_and_train(self, fetched: dict[str, typing.Any]) -> dict[str, tf.Tensor]:
    return self._train(self._batches.to_batch(fetched))

  def _pipeline(self, context: tf.distribute.InputContext) -> tf.data.Dataset:
    count = self._strategy.num_replicas_in_sync // context.num_input_pipelines
    start = context.input_pipeline_id * count
    served = range(start, start + count)
    return self._batches.dataset(*self._steps, replicas=served, fetched=True)


_SECONDS_PER_CALL = 1.0  # so that the progress bar moves and Ctrl-C is obeyed soon


class LearningMonitor(typing.Protocol):
  """What the loop shows its progress to, such as a `Monitor`."""

  def scalars(
    self, step: int, terms: Mapping[str, float], images_per_second: float
  ) -> None:
    """Record the means of the loss terms since the last call, and the speed."""
    ...

  def pictures(self, step: int) -> None:
    """Draw the model."""
    ...


def loop(
  run: Callable[[int, int], dict[str, np.ndarray]],
  monitor: LearningMonitor,
  checkpoints: Checkpoints,
  scorer: Scorer | NothingScored,
  interruption: Interruption,
  *,
  first_step: int,
  last_step: int,
  batch_size: int,
  watching: Watching,
  saving: Saving,
  agree: Callable[[bool, int], tuple[bool, int]] = lambda stop, count: (stop, count),
) -> None:
  """Take all steps; log, draw, score and save when each is due.

  Args:
    run: takes steps: (first step, count) -> {term: [count] array}, the loss among them,
      as `StepRunner.run` does.
    monitor: a `Monitor`, or an object with its `scalars` and `pictures`.
    checkpoints: a `Checkpoints`, or an object with its `save` and `latest_step`.
    scorer: a `Scorer`, or an object with its `periods` and `score`.
    interruption: an `Interruption` that watches signals. A signal ends the loop with a
      checkpoint and KeyboardInterrupt.
    first_step, last_step: the steps that were taken, and the steps in all.
    batch_size: observations per step, for the speed.
    watching, saving: the `Watching` and `Saving` with the periods.
    agree: as `Workers.agree`. It is called before every call of `run`, so that all
      workers stop after the same step and take equally many steps per call. By default
      there is one worker.

  Raises:
    KeyboardInterrupt: after a signal.
    UserError: if a term of the loss is not finite.
  """
  events = _Events(
    watching.log_every,
    watching.pictures_every,
    saving.checkpoint_every,
    scorer.periods,
    last_step,
  )
  step, steps_per_call, window = first_step, 1, _Window(batch_size)
  bar = progress_bar(last_step, initial=step, unit="step", dynamic_ncols=True, delay=0)
  with interruption.noted(), bar:
    while step < last_step:
      stop, count = agree(
        interruption.requested, min(steps_per_call, events.distance(step))
      )
      if stop:
        interruption.request()
        checkpoints.save(step)
        _log.info("stopped after step %d; resume=True continues from there", step)
        raise KeyboardInterrupt
      started = time.perf_counter()
      terms = run(step, count)
      seconds = time.perf_counter() - started
      _check_finite(terms, step, checkpoints)
      step += count
      window.add(terms, seconds)
      steps_per_call = min(2 * steps_per_call, _affordable(count, seconds))
      bar.set_postfix(window.summary(), refresh=False)
      bar.update(count)
      if events.due("log", step):
        monitor.scalars(step, window.means(), window.images_per_second())
        window = _Window(batch_size)
      if events.due("pictures", step):
        monitor.pictures(step)
      scorer.score(step)
      if events.due("checkpoint", step):  # last: a resumed run does not repeat the rest
        checkpoints.save(step)


@dataclasses.dataclass(frozen=True)
class _Events:
  """The periods of logs, figures, scores and checkpoints, in steps."""

  log: int
  pictures: int
  checkpoint: int
  others: Iterable[int]
  end: int

  def due(self, name: str, step: int) -> bool:
    return step % getattr(self, name) == 0 or step == self.end

  def distance(self, step: int) -> int:
    """Steps from `step` to the next event."""
    periods = (self.log, self.pictures, self.checkpoint, *self.others)
    return min(self.end - step, *(period - step % period for period in periods))


class _Window:
  """Loss terms and time since the last entry in the log."""

  def __init__(self, batch_size: int) -> None:
    self._batch_size = batch_size
    self._terms = []
    self._seconds = 0.0

  def add(self, terms: Mapping[str, np.ndarray], seconds: float) -> None:
    self._terms.append(terms)
    self._seconds += seconds

  def means(self) -> dict[str, float]:
    names = self._terms[0]
    return {
      name: float(np.mean(np.concatenate([terms[name] for terms in self._terms])))
      for name in names
    }

  def images_per_second(self) -> float:
    steps = sum(len(terms["loss"]) for terms in self._terms)
    return steps * self._batch_size / self._seconds

  def summary(self) -> dict[str, str]:
    """For the progress bar."""
    means = {name: f"{value:.4g}" for name, value in self.means().items()}
    return {"images/s": f"{self.images_per_second():,.0f}", **means}


def _affordable(count: int, seconds: float) -> int:
  """Steps that fit into a call of the usual length, at the last speed."""
  return max(1, int(count * _SECONDS_PER_CALL / seconds))


def _check_finite(
  terms: Mapping[str, np.ndarray], step: int, checkpoints: Checkpoints
) -> None:
  for name, values in terms.items():
    bad = np.flatnonzero(~np.isfinite(values))
    if name != "loss" and len(bad):
      kept = checkpoints.latest_step
      raise UserError(
        f"the loss term {name!r} is {values[bad[0]]} at step {step + bad[0] + 1}; "
        + (f"the checkpoint of step {kept} is intact" if kept else "no checkpoint yet")
        + ": try a lower learning rate or weight"
      )

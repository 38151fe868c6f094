"""Many training steps in one call of a `tf.function`, on all replicas."""

from __future__ import annotations

import logging
import typing

import numpy as np
import tensorflow as tf

from disentangle_tf.training.replica_limits import what_xla_cannot_compile

if typing.TYPE_CHECKING:
  import keras

  from disentangle_tf.data import Batches

_log = logging.getLogger(__name__)


class StepRunner:
  """Run `model.train_step` over consecutive steps, on all replicas.

  If the data set renders on the device, batches are made there, within the step;
  otherwise by a tf.data pipeline. The number of steps per call affects speed only.

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
      self._replica_step = model.train_step
    if jit_compile:
      self._compile()
    self._run = tf.function(self._run_eagerly, reduce_retracing=True)

  def run(self, first_step: int, num_steps: int) -> dict[str, np.ndarray]:
    """Take the steps; return {term: [num_steps] array}, the loss among them."""
    record = self._run(tf.constant(first_step), tf.constant(num_steps)).numpy()
    return dict(zip(self._names, record.T, strict=True))

  def _compile(self) -> None:
    if self._strategy.num_replicas_in_sync == 1:
      self._replica_step = tf.function(self._replica_step, jit_compile=True)
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
    inputs = step if self._inputs is None else next(self._inputs)
    terms = self._strategy.run(self._replica_step, args=(inputs,))
    self._names = list(terms)  # known once the step has been traced
    return tf.stack(
      [
        self._strategy.reduce(tf.distribute.ReduceOp.MEAN, value, axis=None)
        for value in terms.values()
      ]
    )

  def _render_and_train(self, step: tf.Tensor) -> dict[str, tf.Tensor]:
    replica = tf.distribute.get_replica_context().replica_id_in_sync_group
    return self._model.train_step(self._make(step, replica))

  def _pipeline(self, context: tf.distribute.InputContext) -> tf.data.Dataset:
    count = self._strategy.num_replicas_in_sync // context.num_input_pipelines
    start = context.input_pipeline_id * count
    return self._batches.dataset(*self._steps, replicas=range(start, start + count))

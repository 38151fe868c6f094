"""Many training steps in one call of a `tf.function`, on all replicas."""

import tensorflow as tf


class StepRunner:
  """Runs `model.train_step` over consecutive steps, on all replicas.

  Batches of a data set that renders on the device are made there, within the step;
  others come through a tf.data pipeline. How many steps share a call changes nothing
  but speed.

  Args:
    model: a compiled `RepresentationModel`.
    batches: `Batches` for as many replicas as `strategy` has.
    strategy: a `tf.distribute.Strategy`.
    jit_compile: whether XLA compiles the step; only with a single replica, because
      the replicas' gradients meet inside it.
    first_step, last_step: the steps that will be asked for, in order.
  """

  def __init__(self, model, batches, *, strategy, jit_compile, first_step, last_step):
    self._model = model
    self._batches = batches
    self._strategy = strategy
    self._steps = (first_step, last_step)
    self._names = []
    compiled = jit_compile and strategy.num_replicas_in_sync == 1
    if batches.data.renders_on_device:
      self._inputs = None
      replica_step = self._render_and_train
    else:
      self._inputs = iter(strategy.distribute_datasets_from_function(self._pipeline))
      replica_step = model.train_step
    self._replica_step = (
      tf.function(replica_step, jit_compile=True) if compiled else replica_step
    )
    self._run = tf.function(self._run_eagerly, reduce_retracing=True)

  def run(self, first_step, num_steps):
    """Takes the steps; returns {term: [num_steps] array}, the loss among them."""
    record = self._run(tf.constant(first_step), tf.constant(num_steps)).numpy()
    return dict(zip(self._names, record.T, strict=True))

  def _run_eagerly(self, first_step, num_steps):
    record = tf.TensorArray(tf.float32, size=num_steps)
    for i in tf.range(num_steps):
      record = record.write(i, self._one_step(first_step + i))
    return record.stack()

  def _one_step(self, step):
    inputs = step if self._inputs is None else next(self._inputs)
    terms = self._strategy.run(self._replica_step, args=(inputs,))
    self._names = list(terms)  # known once the step has been traced
    return tf.stack(
      [
        self._strategy.reduce(tf.distribute.ReduceOp.MEAN, value, axis=None)
        for value in terms.values()
      ]
    )

  def _render_and_train(self, step):
    replica = tf.distribute.get_replica_context().replica_id_in_sync_group
    return self._model.train_step(self._batches.make(step, replica))

  def _pipeline(self, context):
    count = self._strategy.num_replicas_in_sync // context.num_input_pipelines
    start = context.input_pipeline_id * count
    return self._batches.dataset(*self._steps, replicas=range(start, start + count))

"""What replicas exchange in a step, so that several learn as one with the whole batch.

Each replica has an equal share of the batch, its rows; all shares in the replicas'
order are the whole batch. One replica has it all, and nothing is exchanged.

Exchanges need `tf.distribute`, which XLA does not compile: a model whose loss terms
call `whole_batch` sets `needs_whole_batch`.
"""

import tensorflow as tf


def num_replicas():
  """How many replicas share the batch here."""
  context = tf.distribute.get_replica_context()
  return 1 if context is None else context.num_replicas_in_sync


def whole_batch(values):
  """Rows of all replicas, with a gradient to each: [batch, ...] of [rows, ...].

  Args:
    values: a tensor, or a tuple of them.
  """
  if num_replicas() == 1:
    return values
  gathered = tf.distribute.get_replica_context().all_gather(values, axis=0)
  return tf.nest.map_structure(_shaped_like, gathered, values)


def whole_shape(shape):
  """The shape of the whole batch: int32 [batch, ...] of this replica's [rows, ...]."""
  count = num_replicas()
  return shape if count == 1 else tf.concat([count * shape[:1], shape[1:]], axis=0)


def own_rows(values):
  """The replica's rows of the whole batch: [rows, ...] of [batch, ...]."""
  count = num_replicas()
  if count == 1:
    return values
  replica = tf.distribute.get_replica_context().replica_id_in_sync_group
  return tf.reshape(values, [count, -1, *values.shape[1:]])[replica]


def apply_sum(optimizer, gradients, variables):
  """Takes a step of a Keras `optimizer` along the sum of all replicas' gradients.

  Keras itself sums last, when each replica has clipped its own gradients and the first
  has decided, from its own, whether there was an overflow.
  """
  if num_replicas() > 1:
    present = [gradient for gradient in gradients if gradient is not None]
    context = tf.distribute.get_replica_context()
    summed = iter(context.all_reduce(tf.distribute.ReduceOp.SUM, present))
    gradients = [None if each is None else next(summed) for each in gradients]
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    inner._all_reduce_sum_gradients = list  # keeps the pairs as they are
  optimizer.apply(gradients, variables)


def _shaped_like(gathered, rows):
  """What was gathered, with the shape that it lost, and ready for `tf.gather`."""
  return _with_dense_gradient(tf.ensure_shape(gathered, [None, *rows.shape[1:]]))


@tf.custom_gradient
def _with_dense_gradient(values):
  """The values; that of `tf.gather` is sparse, which replicas cannot exchange."""
  return tf.identity(values), tf.convert_to_tensor

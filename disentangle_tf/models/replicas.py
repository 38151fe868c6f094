"""Exchange between replicas, so that they train like one replica with the whole batch.

Each replica has an equal share of the batch: its rows. The shares in the order of the
replicas make up the whole batch. With one replica nothing is exchanged.

Exchanges need `tf.distribute`, which XLA does not compile. A model whose loss terms
call `whole_batch` therefore sets `needs_whole_batch`.
"""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf


def num_replicas() -> int:
  """Number of replicas that share the batch."""
  context = tf.distribute.get_replica_context()
  return 1 if context is None else context.num_replicas_in_sync


def whole_batch(values: Any) -> Any:
  """Gather the rows of all replicas, differentiably: [rows, ...] -> [batch, ...].

  Args:
    values: a tensor, or a tuple of them.
  """
  if num_replicas() == 1:
    return values
  gathered = tf.distribute.get_replica_context().all_gather(values, axis=0)
  return tf.nest.map_structure(_shaped_like, gathered, values)


def whole_shape(shape: tf.Tensor) -> tf.Tensor:
  """Shape of the whole batch, [batch, ...], from a replica's shape [rows, ...]."""
  count = num_replicas()
  return shape if count == 1 else tf.concat([count * shape[:1], shape[1:]], axis=0)


def own_rows(values: tf.Tensor) -> tf.Tensor:
  """The replica's rows of the whole batch: [batch, ...] -> [rows, ...]."""
  count = num_replicas()
  if count == 1:
    return values
  replica = tf.distribute.get_replica_context().replica_id_in_sync_group
  return tf.reshape(values, [count, -1, *values.shape[1:]])[replica]


def apply_sum(
  optimizer: Any,
  gradients: Sequence[tf.Tensor | None],
  variables: Sequence[keras.Variable],
) -> None:
  """Take a step of a Keras `optimizer` along the sum of all replicas' gradients.

  Keras would sum too late: after each replica has clipped its own gradients, and after
  the first replica has checked only its own for an overflow.
  """
  if num_replicas() > 1:
    present = [gradient for gradient in gradients if gradient is not None]
    context = tf.distribute.get_replica_context()
    summed = iter(context.all_reduce(tf.distribute.ReduceOp.SUM, present))
    gradients = [None if each is None else next(summed) for each in gradients]
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    inner._all_reduce_sum_gradients = list  # the gradients are already summed
  optimizer.apply(gradients, variables)


def _shaped_like(gathered: tf.Tensor, rows: tf.Tensor) -> tf.Tensor:
  """Restore the static shape of gathered rows, and prepare them for `tf.gather`."""
  return _with_dense_gradient(tf.ensure_shape(gathered, [None, *rows.shape[1:]]))


@tf.custom_gradient
def _with_dense_gradient(values: tf.Tensor) -> Any:
  """Make the gradient dense: replicas cannot exchange the sparse one of `tf.gather`."""
  return tf.identity(values), tf.convert_to_tensor

"""Batches as a function of the step."""

import tensorflow as tf

from disentangle_tf.data.samplers import draw_single
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed


class Batches:
  """The batch of any step, made when and where it is asked for.

  The factors of the whole batch are drawn from (seed, step) and each replica observes
  its share, so the batch does not depend on the number of replicas, and a resumed run
  continues it by knowing the step.

  Args:
    data: a `GroundTruthData`.
    batch_size: observations a step over all replicas (pairs, for a sampler of pairs).
    seed: the run's seed.
    draw: a sampler, (space, batch_size, seed) -> factors or a tuple of them.
    num_replicas: over how many replicas each batch is split.

  Example:
    model.fit(Batches(XYSquares(), batch_size=256).dataset(0, 1000))
  """

  def __init__(self, data, *, batch_size, seed=0, draw=draw_single, num_replicas=1):
    if batch_size < 1 or batch_size % num_replicas:
      raise UserError(
        f"batch_size {batch_size} cannot be split over {num_replicas} replicas: "
        f"choose a multiple of {num_replicas}"
      )
    self.data = data
    self.batch_size = batch_size
    self.seed = seed
    self.draw = draw
    self.num_replicas = num_replicas

  def make(self, step, replica=0):
    """Images of one replica at `step`: [batch_size / num_replicas, H, W, C]."""
    seed = stream_seed(self.seed, "factors", step)

    def observe(place, factors):
      shares = tf.reshape(factors, [self.num_replicas, -1, len(self.data.factors)])
      own = shares[replica]
      if not self.data.stochastic:
        return self.data.observe(own)
      stream = f"observations_{place}"
      return self.data.observe(own, stream_seed(self.seed, stream, step, replica))

    factors = self.draw(self.data.factors, self.batch_size, seed)
    observed = [observe(*part) for part in enumerate(tf.nest.flatten(factors))]
    return tf.nest.pack_sequence_as(factors, observed)

  def dataset(self, first_step, last_step, replicas=None):
    """tf.data pipeline of the steps [first_step, last_step), made ahead in parallel.

    Args:
      replicas: range of the replicas to serve, one element each a step, in their
        order; all of them by default.
    """
    served = range(self.num_replicas) if replicas is None else replicas
    count = len(served)
    return (
      tf.data.Dataset.range(first_step * count, last_step * count)
      .map(
        lambda i: self.make(i // count, served.start + tf.cast(i % count, tf.int32)),
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=True,
      )
      .prefetch(tf.data.AUTOTUNE)
    )

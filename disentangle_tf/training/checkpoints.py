"""Checkpoints: all that a run needs to go on as if it had never stopped."""

import math

import tensorflow as tf

from disentangle_tf.errors import UserError


class Checkpoints:
  """Saves and restores model, optimiser and step.

  Random streams and the data's position are functions of the seed and the step, so
  nothing else has to be kept.

  Args:
    model: a compiled and built `VAE`.
    directory: where they are written.
    keep: how many of the newest stay.
    writes: whether `save` writes; of several workers, one does.
  """

  def __init__(self, model, directory, *, keep, writes=True):
    self._writes = writes
    self._model = model
    self._step = tf.Variable(0, dtype=tf.int64, trainable=False)
    checkpoint = tf.train.Checkpoint(
      model=model, optimizer=model.optimizer, step=self._step
    )
    self._checkpoint = checkpoint
    self._manager = tf.train.CheckpointManager(checkpoint, str(directory), keep)

  @property
  def latest_step(self):
    """Step of the newest checkpoint on disk, or None."""
    newest = self._manager.latest_checkpoint
    return None if newest is None else int(newest.rsplit("-", 1)[-1])

  def restore(self):
    """Restores the newest checkpoint, if any; returns the step to go on from."""
    if self._manager.latest_checkpoint is None:
      return 0
    try:
      self._checkpoint.restore(self._manager.latest_checkpoint).assert_consumed()
    except (AssertionError, ValueError, tf.errors.OpError) as error:
      raise UserError(
        f"the checkpoint {self._manager.latest_checkpoint} does not fit this model or "
        f"is damaged ({str(error).splitlines()[0]}): use the configuration it was made "
        "with"
      ) from error
    return int(self._step.numpy())

  def save(self, step):
    """Writes a checkpoint, unless the weights are no longer finite."""
    for variable in self._model.trainable_variables:
      if not math.isfinite(tf.reduce_sum(tf.abs(variable.value)).numpy()):
        raise UserError(
          f"the weights {variable.path} are not finite after step {step}; "
          f"the last good checkpoint is that of step {self.latest_step}"
        )
    if self._writes:
      self._step.assign(step)
      self._manager.save(checkpoint_number=step)

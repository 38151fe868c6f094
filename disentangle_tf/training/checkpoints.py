"""Checkpoints: the state that a run needs to resume exactly."""

from __future__ import annotations

import logging
import math
import pathlib
import re
import shutil
import typing

import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import move_aside, write_text

if typing.TYPE_CHECKING:
  import os

  import keras


_log = logging.getLogger(__name__)
_FILE = re.compile(r"ckpt-(\d+)\.(?:index|data-\d{5}-of-\d{5})")
_UNFINISHED = re.compile(r"ckpt-\d+_temp|ckpt-\d+\..*tempstate\d+")
_LIST = "checkpoint"  # as TensorFlow has it


class Checkpoints:
  """Save and restore model, optimiser and step.

  Random streams and the position in the data follow from the seed and the step, so
  nothing else is saved. Checkpoints are found by their file names; the list beside them
  is for `tf.train.latest_checkpoint` only, and may be damaged or lost.

  Args:
    model: a compiled and built `VAE`.
    directory: folder of the checkpoints.
    keep: number of checkpoints to keep.
    writes: whether `save` writes; of several workers, one does.

  Attributes:
    latest_step: step of the newest intact checkpoint; None before the first.
  """

  def __init__(
    self,
    model: keras.Model,
    directory: str | os.PathLike,
    *,
    keep: int,
    writes: bool = True,
  ) -> None:
    self._writes = writes
    self._keep = keep
    self._model = model
    self._directory = pathlib.Path(directory)
    self._step = tf.Variable(tf.constant(0, tf.int64), trainable=False)
    self._checkpoint = tf.train.Checkpoint(
      model=model, optimizer=model.optimizer, step=self._step
    )
    self._checkpoint.save_counter.assign(0)  # creates the counter, so that it is saved
    self._damaged = []
    self.latest_step = None

  def restore(self) -> int:
    """Restore the newest intact checkpoint; return its step, or 0 without any.

    Damaged checkpoints are reported and skipped.

    Raises:
      UserError: if all are damaged, or the newest intact one does not fit the model.
    """
    for step in reversed(self._steps_on_disk()):
      damage = _damage(self._prefix(step))
      if damage is None:
        self._read(self._prefix(step))
        self.latest_step = step
        self._report("resuming from the checkpoint of step %s", step)
        return step
      self._report("the checkpoint %s is damaged (%s)", self._prefix(step), damage)
      self._damaged.append(step)
    if self._damaged or (self._directory / _LIST).exists():
      raise UserError(
        f"{self._directory} has no checkpoint that can be read: restore an intact one, "
        "or name another output_dir to start again"
      )
    return 0

  def save(self, step: int) -> None:
    """Write a checkpoint of `step`.

    Raises:
      UserError: if a weight is not finite.
    """
    for variable in self._model.trainable_variables:
      if not math.isfinite(tf.reduce_sum(tf.abs(variable.value)).numpy()):
        raise UserError(
          f"the weights {variable.path} are not finite after step {step}; "
          f"the last intact checkpoint is that of step {self.latest_step}"
        )
    if self._writes and step != self.latest_step:
      self._tidy()
      self._step.assign(step)
      try:
        self._checkpoint.write(self._prefix(step))
      except BaseException:
        self._remove(step)
        self._tidy()
        raise
      self._keep_newest()
    self.latest_step = step

  def _steps_on_disk(self) -> list[int]:
    """Steps of all checkpoints in order, incomplete ones included."""
    found = (_FILE.fullmatch(path.name) for path in self._paths(_FILE))
    return sorted({int(match.group(1)) for match in found if match})

  def _prefix(self, step: int) -> str:
    return str(self._directory / f"ckpt-{step}")

  def _report(self, message: str, *values: object) -> None:
    if self._writes:  # one worker's lines are enough
      _log.info(message, *values)

  def _read(self, prefix: str) -> None:
    try:
      self._checkpoint.restore(prefix).assert_consumed()
    except (AssertionError, ValueError, tf.errors.OpError) as error:
      raise UserError(
        f"the checkpoint {prefix} does not fit this model "
        f"({str(error).splitlines()[0]}): use the configuration it was made with"
      ) from error

  def _tidy(self) -> None:
    """Remove unfinished checkpoints and move damaged ones aside.

    Called when all workers have restored theirs.
    """
    for path in self._paths(_UNFINISHED):
      shutil.rmtree(path) if path.is_dir() else path.unlink()
    for step in self._damaged:  # their names are needed again
      for path in self._paths_of(step):
        move_aside(path)
    self._damaged = []

  def _keep_newest(self) -> None:
    steps = self._steps_on_disk()
    names = [f'"ckpt-{step}"' for step in steps[-self._keep :]]
    lines = [f"model_checkpoint_path: {names[-1]}"]
    lines += [f"all_model_checkpoint_paths: {name}" for name in names]
    write_text(self._directory / _LIST, "\n".join(lines) + "\n")
    for step in steps[: -self._keep]:
      self._remove(step)

  def _remove(self, step: int) -> None:
    for path in self._paths_of(step):
      path.unlink()

  def _paths_of(self, step: int) -> list[pathlib.Path]:
    return [p for p in self._paths(_FILE) if p.name.startswith(f"ckpt-{step}.")]

  def _paths(self, pattern: re.Pattern) -> list[pathlib.Path]:
    if not self._directory.is_dir():
      return []
    return [p for p in sorted(self._directory.iterdir()) if pattern.fullmatch(p.name)]


def check_steps(whose: str, steps: int, first_step: int, folder: pathlib.Path) -> None:
  """Raise a `UserError` if a run has already taken more than its `steps`.

  Args:
    whose: the function that trains, for the message.
    steps: the number of steps in all.
    first_step: the steps that were taken.
    folder: the run's folder.
  """
  if first_step > steps:
    raise UserError(
      f"{folder} is trained for {first_step} steps already and {whose}.steps is "
      f"{steps}: ask for {first_step} or more, or name another output_dir"
    )


def _damage(prefix: str) -> str | None:
  """What is wrong with the files of a checkpoint; None if they are intact."""
  try:
    reader = tf.train.load_checkpoint(prefix)
    for name in reader.get_variable_to_shape_map():
      reader.get_tensor(name)  # compares checksums
  except (tf.errors.OpError, IndexError, ValueError, RuntimeError) as error:
    return str(error).splitlines()[0]
  return None

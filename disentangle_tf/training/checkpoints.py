"""Checkpoints: all that a run needs to go on as if it had never stopped."""

import math
import pathlib
import re
import shutil

import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import move_aside, write_text

_FILE = re.compile(r"ckpt-(\d+)\.(?:index|data-\d{5}-of-\d{5})")
_UNFINISHED = re.compile(r"ckpt-\d+_temp|ckpt-\d+\..*tempstate\d+")
_LIST = "checkpoint"  # as TensorFlow has it


class Checkpoints:
  """Saves and restores model, optimiser and step.

  Random streams and the data's position are functions of the seed and the step, so
  nothing else has to be kept. What there is, the files themselves tell; the list beside
  them is for `tf.train.latest_checkpoint`, and may be damaged or lost.

  Args:
    model: a compiled and built `VAE`.
    directory: where they are written.
    keep: how many of the newest stay.
    writes: whether `save` writes; of several workers, one does.

  Attributes:
    latest_step: step of the newest good checkpoint, None before there is one.
  """

  def __init__(self, model, directory, *, keep, writes=True):
    self._writes = writes
    self._keep = keep
    self._model = model
    self._directory = pathlib.Path(directory)
    self._step = tf.Variable(0, dtype=tf.int64, trainable=False)
    self._checkpoint = tf.train.Checkpoint(
      model=model, optimizer=model.optimizer, step=self._step
    )
    self._checkpoint.save_counter.assign(0)  # has it made, and so saved
    self._damaged = []
    self.latest_step = None

  def restore(self):
    """Restores the newest good checkpoint, if any; returns the step to go on from.

    Damaged ones are passed over with a line that says so; if all are, it is an error.
    """
    for step in reversed(self._steps_on_disk()):
      damage = _damage(self._prefix(step))
      if damage is None:
        self._read(self._prefix(step))
        self.latest_step = step
        self._say(f"going on from the checkpoint of step {step}")
        return step
      self._say(f"the checkpoint {self._prefix(step)} is damaged ({damage})")
      self._damaged.append(step)
    if self._damaged or (self._directory / _LIST).exists():
      raise UserError(
        f"{self._directory} has no checkpoint that can be read: bring back a good one, "
        "or name another output_dir to begin anew"
      )
    return 0

  def save(self, step):
    """Writes a checkpoint, unless the weights are no longer finite."""
    for variable in self._model.trainable_variables:
      if not math.isfinite(tf.reduce_sum(tf.abs(variable.value)).numpy()):
        raise UserError(
          f"the weights {variable.path} are not finite after step {step}; "
          f"the last good checkpoint is that of step {self.latest_step}"
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

  def _steps_on_disk(self):
    """Steps of all checkpoints, whole or not, in order."""
    names = [path.name for path in self._paths(_FILE)]
    return sorted({int(_FILE.fullmatch(name).group(1)) for name in names})

  def _prefix(self, step):
    return str(self._directory / f"ckpt-{step}")

  def _say(self, text):
    if self._writes:
      print(text)

  def _read(self, prefix):
    try:
      self._checkpoint.restore(prefix).assert_consumed()
    except (AssertionError, ValueError, tf.errors.OpError) as error:
      raise UserError(
        f"the checkpoint {prefix} does not fit this model "
        f"({str(error).splitlines()[0]}): use the configuration it was made with"
      ) from error

  def _tidy(self):
    """Removes what was never whole, and moves aside what no longer is.

    Only once all workers have read what they go on from.
    """
    for path in self._paths(_UNFINISHED):
      shutil.rmtree(path) if path.is_dir() else path.unlink()
    for step in self._damaged:  # it would be written over
      for path in self._paths_of(step):
        move_aside(path)
    self._damaged = []

  def _keep_newest(self):
    steps = self._steps_on_disk()
    names = [f'"ckpt-{step}"' for step in steps[-self._keep :]]
    lines = [f"model_checkpoint_path: {names[-1]}"]
    lines += [f"all_model_checkpoint_paths: {name}" for name in names]
    write_text(self._directory / _LIST, "\n".join(lines) + "\n")
    for step in steps[: -self._keep]:
      self._remove(step)

  def _remove(self, step):
    for path in self._paths_of(step):
      path.unlink()

  def _paths_of(self, step):
    return [p for p in self._paths(_FILE) if p.name.startswith(f"ckpt-{step}.")]

  def _paths(self, pattern):
    if not self._directory.is_dir():
      return []
    return [p for p in sorted(self._directory.iterdir()) if pattern.fullmatch(p.name)]


def check_steps(whose, steps, first_step, folder):
  """Raises a `UserError` if a resumed run has taken more than its `steps` already."""
  if first_step > steps:
    raise UserError(
      f"{folder} is trained for {first_step} steps already and {whose}.steps is "
      f"{steps}: ask for {first_step} or more, or name another output_dir"
    )


def _damage(prefix):
  """What is wrong with the files of a checkpoint; None if all of it can be read."""
  try:
    reader = tf.train.load_checkpoint(prefix)
    for name in reader.get_variable_to_shape_map():
      reader.get_tensor(name)  # which compares checksums
  except (tf.errors.OpError, IndexError, ValueError, RuntimeError) as error:
    return str(error).splitlines()[0]
  return None

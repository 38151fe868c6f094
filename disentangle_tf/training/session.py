"""One session of a training: claim the folder, restore, learn, finish."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
from collections.abc import Callable, Iterator

import keras
import tensorflow as tf

from disentangle_tf.data import Batches
from disentangle_tf.training.checkpoints import Checkpoints, check_steps
from disentangle_tf.training.folder_lock import claimed_folder
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.loop import LearningMonitor, StepRunner, loop
from disentangle_tf.training.run_description import RunDescription
from disentangle_tf.training.scorer import NothingScored, Scorer
from disentangle_tf.training.settings import Saving, Watching
from disentangle_tf.training.workers import Workers


@dataclasses.dataclass(frozen=True)
class Session:
  """A training in progress: what `open_session` prepared, and the steps that are left.

  Attributes:
    first_step: the steps that earlier calls took; 0 for a new run.
    last_step: the number of steps in all.
  """

  model: keras.Model
  checkpoints: Checkpoints
  saving: Saving
  workers: Workers
  interruption: Interruption
  first_step: int
  last_step: int

  @property
  def is_finished(self) -> bool:
    """Whether no step is left."""
    return self.first_step >= self.last_step

  def learn(
    self,
    batches: Batches,
    monitor: LearningMonitor,
    *,
    strategy: tf.distribute.Strategy,
    jit_compile: bool,
    watching: Watching,
    scorer: Scorer | NothingScored | None = None,
    recording: Callable[[Callable], Callable] = lambda run: run,
  ) -> None:
    """Take the steps that are left; log, draw, score and save when each is due.

    Args:
      batches: what the model learns from.
      monitor: a `Monitor`, or an object with its `scalars` and `pictures`.
      strategy: where the steps run.
      jit_compile: whether XLA compiles them.
      watching: how often to log and to draw.
      scorer: a `Scorer`; none by default.
      recording: wraps the function that takes steps, as `Monitor.recording` does.

    Raises:
      KeyboardInterrupt: after a signal, with a checkpoint of the last step.
    """
    runner = StepRunner(
      self.model,
      batches,
      strategy=strategy,
      jit_compile=jit_compile,
      first_step=self.first_step,
      last_step=self.last_step,
    )
    loop(
      recording(runner.run),
      monitor,
      self.checkpoints,
      scorer or NothingScored(),
      self.interruption,
      first_step=self.first_step,
      last_step=self.last_step,
      batch_size=batches.batch_size,
      watching=watching,
      saving=self.saving,
      agree=self.workers.agree,
    )


@contextlib.contextmanager
def open_session(
  model: keras.Model,
  output_dir: pathlib.Path,
  *,
  whose: str,
  steps: int,
  text: str,
  description: RunDescription,
  saving: Saving,
  workers: Workers,
  interruption: Interruption,
  resume: bool,
  overwrite: bool,
) -> Iterator[Session]:
  """Claim a run's folder, compare its description and restore the newest checkpoint.

  The folder belongs to this process inside the block. Only the chief of several
  workers claims and writes; the others wait until it has.

  Args:
    model: compiled and built, so that a checkpoint fits.
    output_dir: the run's folder.
    whose: the function that trains, for messages: "train".
    steps: the number of steps in all.
    text: the configuration, which `description` compares and writes.
    description: says what must not change when a run is resumed.
    saving: how many checkpoints to keep, and how often to write one.
    workers: the processes that train together.
    interruption: the signals that the caller watches.
    resume, overwrite: what to do with a folder that exists, as `train` has it.

  Yields:
    The `Session`.
  """
  chief = workers.is_chief
  claimed = claimed_folder(output_dir, resume=resume, overwrite=overwrite)
  with claimed if chief else contextlib.nullcontext():
    if chief:
      description.check_unchanged(output_dir, text)
    workers.wait()
    checkpoints = Checkpoints(
      model, output_dir / "checkpoints", keep=saving.keep_checkpoints, writes=chief
    )
    first_step = checkpoints.restore()
    workers.check_alike("the step to go on from", first_step)
    workers.check_alike(f"{whose}.steps", steps)
    check_steps(whose, steps, first_step, output_dir)
    if chief:
      description.write(output_dir, text)
    yield Session(model, checkpoints, saving, workers, interruption, first_step, steps)

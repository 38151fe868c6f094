"""Workers of a study on this machine, one per slot."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from disentangle_tf.studies.lease import LeaseWatch, is_held_by, read_lease, take_over
from disentangle_tf.studies.worker import last_lines, record_lost_attempt

if TYPE_CHECKING:
  from disentangle_tf.studies.folders import StudyFolder
  from disentangle_tf.studies.plan import Plan

MORE = 75  # exit code of a worker that stopped although runs were left
_POLL = 0.1  # seconds
_POLL_OTHERS = 5.0  # seconds, while only other workers have runs
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)


@dataclasses.dataclass(frozen=True)
class Slot:
  """Cores and GPU of one worker.

  Attributes:
    cores: threads of its operations.
    gpu: number of the GPU that it sees; None: no GPU.
  """

  cores: int
  gpu: int | None = None

  def environment(self) -> dict[str, str]:
    """The environment variables that restrict a process to the slot."""
    return {
      "CUDA_VISIBLE_DEVICES": "" if self.gpu is None else str(self.gpu),
      "TF_FORCE_GPU_ALLOW_GROWTH": "true",
      "TF_NUM_INTRAOP_THREADS": str(self.cores),
      "TF_NUM_INTEROP_THREADS": "1",
      "OMP_NUM_THREADS": str(self.cores),
      "OPENBLAS_NUM_THREADS": str(self.cores),
    }


def local_slots(count: int, *, cores: int | None = None, gpus: int = 0) -> list[Slot]:
  """`count` slots that take the GPUs in turn.

  Args:
    count: number of slots.
    cores: threads of each; by default they share the cores of this machine. The number
      of threads changes rounding, and so the last digits of scores.
    gpus: number of GPUs of this machine.
  """
  cores = cores or max(1, (os.cpu_count() or 1) // count)
  return [Slot(cores, gpu=number % gpus if gpus else None) for number in range(count)]


class LocalExecutor:
  """Keeps one worker process per slot until all runs are done or have failed.

  Args:
    slots: [`Slot`].
    command: words that start a worker.
    study: the `StudyFolder`.
    plans: its [`Plan`].
    signals: signals that stop it; callers that handle signals themselves give () and
      call `stop`.
  """

  def __init__(
    self,
    slots: Sequence[Slot],
    command: Sequence[str],
    study: StudyFolder,
    plans: Sequence[Plan],
    *,
    signals: Iterable[int] = _SIGNALS,
  ) -> None:
    self._slots = slots
    self._command = command
    self._study = study
    self._plans = plans
    self._signals = signals
    self._watch = LeaseWatch()
    self._workers = {}
    self._asked_to_stop = None
    self._has_failed = False

  def run(self) -> int | None:
    """Run workers until no run is left; returns the signal that ended it, or None."""
    with self._listening():
      try:
        while self._wait_for_work():
          for slot in self._slots:
            self._start(slot)
          while self._workers:
            time.sleep(_POLL)
            self._look_after()
      finally:
        self._end()
    return self._asked_to_stop

  def _start(self, slot: Slot) -> None:
    # In a separate session, so that Ctrl-C reaches it only through this process.
    process = subprocess.Popen(
      self._command,
      env={**os.environ, **slot.environment(), "DTF_PARENT": str(os.getpid())},
      start_new_session=True,
    )
    self._workers[process] = slot

  def _look_after(self) -> None:
    """Restart workers that stopped with runs left, or were lost."""
    for process, slot in list(self._workers.items()):
      if process.poll() is None:
        continue
      del self._workers[process]
      lost = process.returncode < 0
      if lost:
        self._note_loss(process)
      again = lost or process.returncode == MORE
      # An error that ended a worker would end the next one, too.
      self._has_failed |= not again and process.returncode != 0
      if again and self._asked_to_stop is None and self._can_be_taken():
        self._start(slot)

  def _note_loss(self, process: subprocess.Popen) -> None:
    """Record the run that a lost worker held, unless another process has done so."""
    for plan in self._plans:
      folder = self._study.run(plan)
      lease = read_lease(folder.path)
      if lease and is_held_by(lease, process.pid):
        if take_over(folder.path, lease):
          said = [*last_lines(folder.log), _ended_by(process.returncode)]
          how = {"run": plan.run, "exit_code": process.returncode, "last_lines": said}
          record_lost_attempt(folder, how, seen=True)
        return

  def _wait_for_work(self) -> bool:
    """Wait while other workers have all runs left; returns whether one is free."""
    while self._asked_to_stop is None and not self._has_failed:
      if self._can_be_taken():
        return True
      if "running" not in self._study.states(self._plans).values():
        return False
      time.sleep(_POLL_OTHERS)
    return False

  def _can_be_taken(self) -> bool:
    folders = map(self._study.run, self._plans)
    return any(
      folder.state == "waiting"
      or (folder.state == "running" and self._watch.has_expired(folder.path))
      for folder in folders
    )

  def stop(self, number: int = signal.SIGTERM, _: object = None) -> None:
    """Ask the workers to write a checkpoint and stop; `run` returns once they have."""
    self._asked_to_stop = self._asked_to_stop or number
    for process in list(self._workers):
      if process.poll() is None:
        process.send_signal(signal.SIGTERM)

  def wait(self) -> None:
    """Wait until the workers have ended."""
    for process in list(self._workers):
      process.wait()

  @contextlib.contextmanager
  def _listening(self) -> Iterator[None]:
    before = {number: signal.signal(number, self.stop) for number in self._signals}
    try:
      yield
    finally:
      for number, handler in before.items():
        signal.signal(number, handler)

  def _end(self) -> None:
    for process in self._workers:
      process.kill()
      process.wait()


def _ended_by(returncode: int) -> str:
  name = signal.Signals(-returncode).name
  hint = ", perhaps because it ran out of memory" if name == "SIGKILL" else ""
  return f"the worker was ended by {name}{hint}"

"""Claim runs and execute them; count attempts that were lost."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import math
import os
import pathlib
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_json
from disentangle_tf.studies.folders import LOST, StudyFolder, failure_signature
from disentangle_tf.studies.lease import (
  LeaseWatch,
  claim,
  holder_ended_alone,
  read_lease,
  take_over,
)
from disentangle_tf.studies.resident_memory import resident_memory

if TYPE_CHECKING:
  from disentangle_tf.studies.folders import RunFolder
  from disentangle_tf.studies.plan import Plan


MOST_SEEN = 3  # attempts whose end was observed
MOST = 10  # including those of workers that were found to be gone


def record_lost_attempt(
  folder: RunFolder, how: Mapping[str, Any], *, seen: bool = False
) -> bool:
  """Record that an attempt was lost; returns whether to make another one.

  A run that lost too many attempts has failed.

  Args:
    folder: the `RunFolder`.
    how: what is known of the attempt, as JSON.
    seen: whether only the worker was lost, not the process that started it. A worker
      that is merely found to be gone may have ended together with the whole study,
      which the run did not cause.
  """
  path = folder.path / LOST
  lost = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
  lost.append({"seen": seen, **how})
  write_json(path, lost)
  if sum(each["seen"] for each in lost) < MOST_SEEN and len(lost) < MOST:
    return True
  lines = how.get("last_lines") or [f"lost {len(lost)} times, see {path.name}"]
  folder.record_failure(
    {"run": how.get("run"), "exit_code": how.get("exit_code"), "last_lines": lines}
  )
  return False


ALIKE = 3  # runs that fail in the same way: the fault is in the study
LAST_LINES = 40  # kept of the output of a failed run
TIMING = "timing.json"


class StudyError(UserError):
  """Several runs failed in the same way, so the study was stopped."""


@dataclasses.dataclass
class Worker:
  """Claims runs of a study by leases, so that any number of workers share a folder.

  Args:
    output_dir: the study's folder.
    plans: [`Plan`], in the order to take them.
    perform: function of a `Plan` and its folder that trains and scores. It resumes an
      interrupted run, and writes scores/scores.json last.
    explain: function of an exception that gives one line of text if the user can fix
      the error, and None if it is a bug.
    is_passing: function of an exception: whether another attempt may succeed.
    say: function of a line about a run; by default it is logged.
    most_runs: largest number of runs to take; None: no limit.
    seconds: time limit. A run is not taken if it could end later, judging by the
      longest run so far.
    most_growth: bytes by which memory may grow after the first run.
    watch: the `LeaseWatch` that finds leases of workers that are gone.
  """

  output_dir: pathlib.Path
  plans: Sequence[Plan]
  perform: Callable[[Plan, pathlib.Path], None]
  explain: Callable[[Exception], str | None] = lambda error: (
    str(error) if isinstance(error, UserError) else None
  )
  is_passing: Callable[[Exception], bool] = lambda error: isinstance(error, MemoryError)
  say: Callable[[str], object] = logging.getLogger(__name__).info
  most_runs: int | None = None
  seconds: float | None = None
  most_growth: float = math.inf
  watch: LeaseWatch = dataclasses.field(default_factory=LeaseWatch)

  def __post_init__(self) -> None:
    self._study = StudyFolder(pathlib.Path(self.output_dir))
    self._pending = list(self.plans)
    self._taken = 0
    self._longest = 0.0
    self._memory = None  # after the first run
    self._started = time.monotonic()
    self._is_sound = True

  def work(self, only: str | None = None) -> bool:
    """Claim and execute runs until none is free.

    Args:
      only: name of the one run to take; any by default.

    Returns:
      Whether it stopped earlier: it reached a limit, its memory has grown or ran out.
    """
    self._pending = [
      plan
      for plan in self._pending
      if only in (None, plan.run) and self._may_be_taken(plan)
    ]
    for plan in list(self._pending):
      if reason := self._study.read_stop():
        raise StudyError(reason)
      if self._has_enough():
        return True
      if self._take(plan) and self._study.run(plan).state != "waiting":
        self._pending.remove(plan)
    return not self._is_sound

  def awaits_a_sign(self) -> bool:
    """Whether another worker has a run and has shown no sign of life yet."""
    folders = map(self._study.run, self._pending)
    return any(
      folder.state == "running" and not self.watch.is_alive(folder.path)
      for folder in folders
    )

  def _may_be_taken(self, plan: Plan) -> bool:
    return self._study.run(plan).state in ("running", "waiting")

  def _has_enough(self) -> bool:
    if not self._is_sound:
      return True
    if self.most_runs is not None and self._taken >= self.most_runs:
      return True
    if self._memory and resident_memory() - self._memory > self.most_growth:
      return True
    if self.seconds is None:
      return False
    left = self.seconds - (time.monotonic() - self._started)
    return left < self._longest

  def _take(self, plan: Plan) -> bool:
    """Execute a run if it is free; returns whether it needs no further attention."""
    folder = self._study.run(plan)
    if folder.state == "running":
      lease = read_lease(folder.path)
      if lease is None or not self.watch.has_expired(folder.path):
        return False
      if not take_over(folder.path, lease):
        return False
      how = {"run": plan.run, "last_lines": last_lines(folder.log), "lease": lease}
      record_lost_attempt(folder, how, seen=holder_ended_alone(lease))
    if folder.state in ("done", "failed"):
      return True
    lease = claim(folder.path)
    if lease is None:
      return False
    with lease:
      if folder.state != "done":  # another worker may have finished it
        self._do(plan, folder)
    self._memory = self._memory or resident_memory()
    return True

  def _do(self, plan: Plan, folder: RunFolder) -> None:
    folder.check_key(plan)
    folder.write_plan(plan)
    self._taken += 1
    started = time.monotonic()
    self.say(f"{plan.run}: started")
    try:
      with _output_to(folder.log):
        self.perform(plan, folder.path)
    except Exception as error:
      self._fail(plan, folder, error)
      return
    seconds = time.monotonic() - started
    self._longest = max(self._longest, seconds)
    write_json(folder.path / TIMING, {"seconds": round(seconds, 3)})
    self.say(f"{plan.run}: done in {seconds:.1f} s")

  def _fail(self, plan: Plan, folder: RunFolder, error: Exception) -> None:
    line = self.explain(error)
    with _output_to(folder.log):
      if line is None:
        traceback.print_exception(error)
      else:
        print(f"error: {line}", file=sys.stderr)
    failure = {
      "run": plan.run,
      "exit_code": 1 if line is None else getattr(error, "exit_code", 2),
      "last_lines": last_lines(folder.log),
    }
    if self.is_passing(error):
      self._is_sound = False  # a new process may have more memory
      if record_lost_attempt(folder, failure, seen=True):
        self.say(f"{plan.run}: lost ({failure['last_lines'][-1]}), requeued")
        return
    folder.record_failure(failure)
    self.say(f"{plan.run}: failed: {failure['last_lines'][-1]}")
    self._check_alike(failure)

  def _check_alike(self, failure: dict[str, Any]) -> None:
    """Stop the study if several runs failed like this one."""
    signature, alike = failure_signature(failure), []
    for plan in self.plans:
      folder = self._study.run(plan)
      if folder.state == "failed":
        alike += [plan.run] * (failure_signature(folder.read_failure()) == signature)
    if len(alike) >= ALIKE:
      reason = (
        f"{len(alike)} runs failed in the same way, the last is {failure['run']}: "
        f"{failure['last_lines'][-1]}"
      )
      self._study.stop(reason)
      raise StudyError(reason)


def last_lines(path: pathlib.Path, count: int = LAST_LINES) -> list[str]:
  """The last lines of a log; carriage returns end lines, too."""
  text = path.read_bytes().decode(errors="replace") if path.exists() else ""
  lines = [line.rstrip() for line in text.replace("\r", "\n").split("\n")]
  return [line for line in lines if line][-count:] or ["no output"]


@contextlib.contextmanager
def _output_to(path: pathlib.Path) -> Iterator[None]:
  """Append all output of this process to `path`, including that of C libraries."""
  with open(path, "a", buffering=1, encoding="utf-8", errors="replace") as file:
    for stream in (sys.stdout, sys.stderr):
      stream.flush()
    kept = [os.dup(number) for number in (1, 2)]  # of libraries not written in Python
    try:
      for number in (1, 2):
        os.dup2(file.fileno(), number)
      with contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
        yield
    finally:
      for number, saved in zip((1, 2), kept, strict=True):
        os.dup2(saved, number)
        os.close(saved)

"""Progress, time and disk use of a study."""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import shutil
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf.studies.folders import STATES
from disentangle_tf.studies.worker import TIMING

if TYPE_CHECKING:
  from disentangle_tf.studies.folders import StudyFolder
  from disentangle_tf.studies.plan import Plan


_SAMPLED = 20  # runs: a shared disk takes milliseconds per file


@dataclasses.dataclass(frozen=True)
class DiskUse:
  """Bytes on disk.

  Attributes:
    per_run: median of runs that are done.
    left: expected size of all runs that are not done yet.
    free: free space of the disk.
  """

  per_run: float
  left: float
  free: float

  def to_text(self) -> str:
    """The disk use as one line of text."""
    line = f"a run needs {readable_bytes(self.per_run)} on disk (median)"
    if self.left:
      line += f"; the runs left need about {readable_bytes(self.left)}"
    if self.left > self.free:
      line += f", but only {readable_bytes(self.free)} are free"
    return line


def read_disk_use(study: StudyFolder, plans: Sequence[Plan]) -> DiskUse | None:
  """The `DiskUse` of these [`Plan`]s of a study; None if none was done here."""
  states = study.states(plans)
  done = [study.run(plan) for plan in plans if states[plan.run] == "done"]
  here = [folder.path for folder in done if not folder.is_given]
  if not here:
    return None
  chosen = here[:: -(-len(here) // _SAMPLED)]
  per_run = statistics.median(map(_size, chosen))
  left = per_run * (len(plans) - len(done))
  return DiskUse(per_run, left, shutil.disk_usage(study.path).free)


def _size(folder: pathlib.Path) -> int:
  return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def readable_bytes(count: float) -> str:
  """A number of bytes with a suitable unit: "1.5 GB"."""
  for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
    if count >= size:
      return f"{count / size:,.1f} {unit}"
  return f"{count / 1e3:.1f} kB"


@dataclasses.dataclass(frozen=True)
class Status:
  """The state of a study at one moment.

  Attributes:
    counts: {state: number of runs}.
    failures: [(run, last line)].
    stopped: why workers take no more runs; None if they do.
    seconds_per_run: median duration of runs that are done; None if none is.
    seconds_left: remaining time with one worker; None if unknown.
  """

  counts: dict[str, int]
  failures: list[tuple[str, str]]
  stopped: str | None
  seconds_per_run: float | None
  seconds_left: float | None

  @property
  def is_finished(self) -> bool:
    """Whether every run is done."""
    return self.counts["done"] == sum(self.counts.values())

  def to_text(self, at_a_time: int | None = None) -> str:
    """The status as a few lines of text.

    Args:
      at_a_time: number of runs that will be trained at the same time; by default the
        number that are running now.
    """
    total = sum(self.counts.values())
    counts = ", ".join(f"{self.counts[state]:,} {state}" for state in STATES)
    lines = [f"{total:,} runs: {counts}"]
    running = at_a_time or max(self.counts["running"], 1)
    if self.seconds_per_run is not None:
      line = f"a run takes {readable_seconds(self.seconds_per_run)} (median)"
      if self.seconds_left:
        left = readable_seconds(self.seconds_left / running)
        line += f"; about {left} left with {running} at a time"
      lines.append(line)
    lines += [f"failed: {run}: {line}" for run, line in self.failures]
    lines += [f"stopped: {self.stopped}"] * bool(self.stopped)
    return "\n".join(lines)


def read_status(study: StudyFolder, plans: Sequence[Plan]) -> Status:
  """The `Status` of a `StudyFolder` with these [`Plan`]s."""
  states = study.states(plans)
  counts = dict.fromkeys(STATES, 0) | collections.Counter(states.values())
  durations = collections.defaultdict(list)
  for plan in plans:
    if states[plan.run] == "done":
      path = study.run(plan).path / TIMING
      if path.exists():
        seconds = json.loads(path.read_text(encoding="utf-8"))["seconds"]
        durations[plan.method, plan.data].append(seconds)
  known = [seconds for listed in durations.values() for seconds in listed]
  usual = statistics.median(known) if known else None
  left = None
  if known:
    left = sum(
      statistics.median(durations.get((plan.method, plan.data), known))
      for plan in plans
      if states[plan.run] in ("waiting", "running")
    )
  failures = [
    (plan.run, study.run(plan).read_failure()["last_lines"][-1])
    for plan in plans
    if states[plan.run] == "failed"
  ]
  return Status(counts, failures, study.read_stop(), usual, left)


def readable_seconds(seconds: float) -> str:
  """A number of seconds with a suitable unit: "2.5 h"."""
  for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
    if seconds >= 2 * size:
      return f"{seconds / size:,.1f} {unit}"
  return f"{seconds:.1f} s"

"""Progress of a study: counts of states, rate, and the remaining time."""

from __future__ import annotations

import collections
import dataclasses
import json
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf.studies.run_folder import STATES
from disentangle_tf.studies.worker import TIMING

if TYPE_CHECKING:
  from disentangle_tf.studies.plan import Plan
  from disentangle_tf.studies.study_folder import StudyFolder


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

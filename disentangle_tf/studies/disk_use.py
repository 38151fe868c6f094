"""Disk space of the runs of a study, done and still to come."""

from __future__ import annotations

import dataclasses
import pathlib
import shutil
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
  from disentangle_tf.studies.plan import Plan
  from disentangle_tf.studies.study_folder import StudyFolder

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
    line = f"a run keeps {readable_bytes(self.per_run)} (median)"
    if self.left:
      line += f"; those left will keep about {readable_bytes(self.left)}"
    if self.left > self.free:
      line += f", but only {readable_bytes(self.free)} are free"
    return line


def read_disk_use(study: StudyFolder, plans: Sequence[Plan]) -> DiskUse | None:
  """The `DiskUse` of a `StudyFolder` with these [`Plan`]s; None if no run is done."""
  states = study.states(plans)
  done = [study.run(plan).path for plan in plans if states[plan.run] == "done"]
  if not done:
    return None
  chosen = done[:: -(-len(done) // _SAMPLED)]
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

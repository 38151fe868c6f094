"""Package versions of a study: their scores are mixed only on request."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_json

if TYPE_CHECKING:
  from disentangle_tf.studies.given_runs import GivenRun
  from disentangle_tf.studies.run_scores import RunScores

_FILE = "versions.json"
_NOT_COMPARED = "python"
_HOW = (
  "continue with those versions, name another --output_dir, or add --mix_versions to "
  "compare scores of both"
)


def compared_versions(versions: Mapping[str, str]) -> dict[str, str]:
  """{package: version} of the packages whose versions may change a score."""
  return {name: version for name, version in versions.items() if name != _NOT_COMPARED}


class StudyVersions:
  """The versions with which a study was started, in versions.json.

  Args:
    folder: of the study.

  Attributes:
    is_mixed: whether the user allowed scores of several versions.
    known: [{package: version}].
  """

  def __init__(self, folder: pathlib.Path) -> None:
    self._path = folder / _FILE
    content = {"mixed": False, "versions": []}
    if self._path.exists():
      content = json.loads(self._path.read_text(encoding="utf-8"))
    self.is_mixed, self.known = content["mixed"], content["versions"]

  def mix(self) -> None:
    """Record that scores of several versions may be compared."""
    self.is_mixed = True
    self._write()

  def begin(
    self,
    versions: Mapping[str, str],
    *,
    done: Iterable[Mapping[str, str]],
    begun: bool = True,
    goes_on: bool = True,
  ) -> str | None:
    """Record the versions that will train; other versions are refused unless mixed.

    Args:
      versions: {package: version}, of this process.
      done: versions of the runs that are done, for studies without versions.json.
      begun: whether any run was started.
      goes_on: whether any run is left, so that versions would be mixed.

    Returns:
      Text of the differences from earlier processes; None if there are none.
    """
    now = compared_versions(versions)
    known = [*self.known, *map(compared_versions, done)] if begun else []
    known = [each for place, each in enumerate(known) if each not in known[:place]]
    different = None
    if now not in known and any(known):
      different = f"the study was begun with {difference(known[-1], now)}"
    if different and goes_on and not self.is_mixed:
      raise UserError(f"{different}: {_HOW}")
    if goes_on:
      self.known = [*known, *[now] * (now not in known)]
      self._write()
    return different

  def check(self, versions: Mapping[str, str]) -> None:
    """Check that a worker has the versions of the study; else raises a `UserError`."""
    now = compared_versions(versions)
    if self.known and now not in self.known and not self.is_mixed:
      raise UserError(
        f"the study was begun with {difference(self.known[-1], now)}: {_HOW}"
      )

  def check_runs(self, runs: Iterable[RunScores | GivenRun]) -> None:
    """Check that runs were scored with the same versions, unless mixing is allowed.

    Args:
      runs: their scores.

    Raises:
      UserError: if versions differ.
    """
    if not self.is_mixed:
      check_same_versions((run.plan.run, run.versions) for run in runs)

  def _write(self) -> None:
    write_json(self._path, {"mixed": self.is_mixed, "versions": self.known})


def check_same_versions(runs: Iterable[tuple[str, Mapping[str, str]]]) -> None:
  """Check that runs were scored with the same versions.

  Args:
    runs: (name, {package: version}) of each run; {} if unknown.

  Raises:
    UserError: if versions differ.
  """
  first = None
  for run, known in runs:
    versions = compared_versions(known)
    if not versions:
      continue
    first = first or (run, versions)
    if versions != first[1]:
      raise UserError(
        f"{first[0]} and {run} were scored with different versions, "
        f"{difference(first[1], versions)}: score one of them again, or add "
        "--mix_versions to compare scores of both"
      )


def difference(before: Mapping[str, str], now: Mapping[str, str]) -> str:
  """Text of the difference of two sets of versions: "numpy 2.3 (now 2.4)"."""
  names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
  return ", ".join(
    f"{name} {before.get(name, 'unknown')} (now {now.get(name, 'unknown')})"
    for name in names
  )

"""The folder of a study: its plan, and the states of its runs."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Sequence

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_json, write_text
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.run_folder import RunFolder
from disentangle_tf.studies.study_versions import StudyVersions

_PLAN, _KEEP, _STOPPED = "plan.json", "keep.json", "stopped.json"


@dataclasses.dataclass(frozen=True)
class StudyFolder:
  """A study on disk; workers read everything from its files.

  Attributes:
    path: the folder.
  """

  path: pathlib.Path

  def write_plans(self, plans: Sequence[Plan], *, older: bool = False) -> None:
    """Write plan.json; runs that exist must have been made by the same plan.

    A study may grow by seeds, strengths or methods; finished runs stay done.

    Args:
      plans: [`Plan`].
      older: see `RunFolder.check_key`.
    """
    for plan in plans:
      self.run(plan).check_key(plan, older=older)
    for plan in plans:
      known = self.run(plan).read_plan()
      if known is not None and known["key"] != plan.key:  # it records more contents now
        self.run(plan).write_plan(plan)
    lines = ",\n".join(json.dumps(plan.to_json()) for plan in plans)
    write_text(self.path / _PLAN, f"[\n{lines}\n]\n")

  @property
  def has_plan(self) -> bool:
    """Whether a study was started here."""
    return (self.path / _PLAN).exists()

  def read_plans(self) -> list[Plan]:
    """[`Plan`] of plan.json."""
    path = self.path / _PLAN
    if not self.has_plan:
      raise UserError(
        f"{self.path} is no study, it has no {_PLAN}: start one with bin/study.py "
        "--gin_file gin/studies/... --output_dir FOLDER"
      )
    listed = json.loads(path.read_text(encoding="utf-8"))
    return [Plan.from_json(each) for each in listed]

  @property
  def configuration(self) -> pathlib.Path:
    """The file with the configuration of the study."""
    return self.path / "config.gin"

  def write_configuration(self, text: str, keep: str) -> None:
    """Write the configuration, and which files of runs to keep."""
    write_text(self.configuration, text)
    write_json(self.path / _KEEP, {"keep": keep})

  def read_keep(self) -> str:
    """Which files of runs to keep, see `keep_files`."""
    return json.loads((self.path / _KEEP).read_text(encoding="utf-8"))["keep"]

  @property
  def versions(self) -> StudyVersions:
    """The `StudyVersions`."""
    return StudyVersions(self.path)

  def stop(self, reason: str) -> None:
    """Stop every worker of the study, on any machine, before its next run."""
    write_json(self.path / _STOPPED, {"reason": reason})

  def go_on(self) -> None:
    """Allow workers to take runs again."""
    (self.path / _STOPPED).unlink(missing_ok=True)

  def read_stop(self) -> str | None:
    """Why the study was stopped; None if it was not."""
    path = self.path / _STOPPED
    try:
      return json.loads(path.read_text(encoding="utf-8"))["reason"]
    except FileNotFoundError:
      return None

  def run(self, plan: Plan) -> RunFolder:
    """The `RunFolder` of a plan."""
    return RunFolder(self.path / plan.run)

  def states(self, plans: Sequence[Plan]) -> dict[str, str]:
    """{run: state} of the plans, in their order."""
    return {plan.run: self.run(plan).state for plan in plans}

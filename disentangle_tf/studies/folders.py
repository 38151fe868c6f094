"""The folders of a study and of a run: their files are their state."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import shutil
from collections.abc import Sequence
from typing import Any

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_json, write_text
from disentangle_tf.studies.lease import LEASE
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.study_versions import StudyVersions

KEEP = ("all", "export", "scores")
_REMOVED = {
  "all": (),
  "export": ("checkpoints",),
  "scores": ("checkpoints", "export", "tensorboard"),
}


def keep_files(folder: RunFolder, keep: str) -> None:
  """Remove the files in a run's folder that the study wrote and should not keep.

  Args:
    folder: the `RunFolder` of a run that is done.
    keep: one of `KEEP`.
  """
  if folder.scores.exists():
    for name in _REMOVED[keep]:
      shutil.rmtree(folder.path / name, ignore_errors=True)


STATES = ("done", "failed", "running", "waiting")
LOST = "lost_attempts.json"
_RUN, _FAILURE = "run.json", "failure.json"


@dataclasses.dataclass(frozen=True)
class RunFolder:
  """The folder of a run, whose files alone determine the run's state.

  The run is done if `scores/scores.json` or `given.json` exists, otherwise failed if
  `failure.json` exists, otherwise running if `lease.json` exists, otherwise waiting.

  Attributes:
    path: the folder.
  """

  path: pathlib.Path

  @property
  def scores(self) -> pathlib.Path:
    """The file that exists if the run is done here."""
    return self.path / "scores" / "scores.json"

  @property
  def given(self) -> pathlib.Path:
    """The file that exists if another machine finished the run."""
    return self.path / "given.json"

  @property
  def is_given(self) -> bool:
    """Whether the scores come from another machine, so that no model is here."""
    return self.given.exists() and not self.scores.exists()

  @property
  def failure(self) -> pathlib.Path:
    """The file with the reason of a failure."""
    return self.path / _FAILURE

  @property
  def log(self) -> pathlib.Path:
    """The file with the run's output."""
    return self.path / "log.txt"

  @property
  def state(self) -> str:
    """One of `STATES`."""
    if self.scores.exists() or self.given.exists():
      return "done"
    if self.failure.exists():
      return "failed"
    return "running" if (self.path / LEASE).exists() else "waiting"

  def check_key(self, plan: Plan, *, older: bool = False) -> None:
    """Check that the files in the folder were made by this plan.

    Args:
      plan: the `Plan`.
      older: accept files of an earlier version, which recorded no contents.

    Raises:
      UserError: if another plan made them.
    """
    known = self.read_plan()
    if known is None or known["key"] == plan.key:
      return
    if "said" not in known and known["key"] == plan.said:
      if older:
        return
      raise UserError(
        f"{self.path} was begun by an earlier version, which did not record the "
        f"content of {', '.join(plan.contents)}: name another --output_dir, or add "
        "--mix_versions to keep its runs"
      )
    if known.get("said") == plan.said:
      changed = [
        name
        for name, content in known["contents"].items()
        if plan.contents.get(name) != content
      ]
      if not changed:  # the plan has new contents, but no changed ones
        return
      raise UserError(
        f"{self.path} was made with another content of {', '.join(changed)}: restore "
        "it, name another --output_dir, or move that folder away"
      )
    asked = json.loads(json.dumps(plan.to_json()))
    hashes = ("key", "said", "contents")
    changed = [
      name for name in asked if name not in hashes and asked[name] != known.get(name)
    ]
    what = "what the gin files say" if not changed else " and ".join(changed)
    raise UserError(
      f"{self.path} was made with other settings ({what} changed): name another "
      "--output_dir, or move that folder away"
    )

  def read_plan(self) -> dict[str, Any] | None:
    """The plan that made the files, as JSON; None if there is none."""
    path = self.path / _RUN
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

  def write_plan(self, plan: Plan) -> None:
    write_json(self.path / _RUN, plan.to_json())

  def record_failure(self, failure: dict[str, Any]) -> None:
    """Write failure.json."""
    write_json(self.failure, failure)

  def read_failure(self) -> dict[str, Any]:
    return json.loads(self.failure.read_text(encoding="utf-8"))

  def retry(self) -> None:
    """Rename the records of failures, so that the run is requeued."""
    for path in (self.failure, self.path / LOST):
      number = 1
      while (aside := path.with_suffix(f".{number}.json")).exists():
        number += 1
      if path.exists():
        path.rename(aside)


def failure_signature(failure: dict[str, Any]) -> str:
  """The last line of a failure without its numbers, equal for similar failures."""
  lines = failure["last_lines"] or [f"exit code {failure['exit_code']}"]
  return re.sub(r"[\d.e+-]*\d", "N", lines[-1])


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
        f"{self.path} is not a study: it has no {_PLAN}; start one with bin/study.py "
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

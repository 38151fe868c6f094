"""The folder of one run of a study, and the run's state."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
from typing import TYPE_CHECKING, Any

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_json
from disentangle_tf.studies.lease import LEASE

if TYPE_CHECKING:
  from disentangle_tf.studies.plan import Plan

STATES = ("done", "failed", "running", "waiting")
LOST = "lost_attempts.json"
_RUN, _FAILURE = "run.json", "failure.json"


@dataclasses.dataclass(frozen=True)
class RunFolder:
  """The folder of a run, whose files alone determine the run's state.

  The run is done if `scores/scores.json` exists, otherwise failed if `failure.json`
  exists, otherwise running if `lease.json` exists, otherwise waiting.

  Attributes:
    path: the folder.
  """

  path: pathlib.Path

  @property
  def scores(self) -> pathlib.Path:
    """The file that exists if the run is done."""
    return self.path / "scores" / "scores.json"

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
    if self.scores.exists():
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
        f"{self.path} was made with another content of {', '.join(changed)}: bring it "
        "back, name another --output_dir, or move that folder away"
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

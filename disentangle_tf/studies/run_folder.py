"""The folder of one run of a study: what it is called, and the state it is in."""

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
  """Where a run's files are; its state follows from them alone.

  `scores/scores.json` is there: done. Else `failure.json`: failed. Else `lease.json`:
  running. Else waiting.

  Attributes:
    path: the folder.
  """

  path: pathlib.Path

  @property
  def scores(self) -> pathlib.Path:
    """The file whose being there means that the run is done."""
    return self.path / "scores" / "scores.json"

  @property
  def failure(self) -> pathlib.Path:
    """The file that says why the run failed."""
    return self.path / _FAILURE

  @property
  def log(self) -> pathlib.Path:
    """What the run said."""
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
    """Raises a `UserError` if what is there was made by another plan.

    Args:
      plan: the `Plan`.
      older: take what an earlier version made, which recorded no contents.
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
      if not changed:  # what has come since was not there to be read
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
    """The plan that made what is there, as JSON; None if there is none."""
    path = self.path / _RUN
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

  def write_plan(self, plan: Plan) -> None:
    write_json(self.path / _RUN, plan.to_json())

  def record_failure(self, failure: dict[str, Any]) -> None:
    """Writes failure.json, with the attempts that went before."""
    write_json(self.failure, failure)

  def read_failure(self) -> dict[str, Any]:
    return json.loads(self.failure.read_text(encoding="utf-8"))

  def retry(self) -> None:
    """Moves what speaks of failures aside, so that the run waits again."""
    for path in (self.failure, self.path / LOST):
      number = 1
      while (aside := path.with_suffix(f".{number}.json")).exists():
        number += 1
      if path.exists():
        path.rename(aside)


def failure_signature(failure: dict[str, Any]) -> str:
  """What failures that are alike share: the last line, without its numbers."""
  lines = failure["last_lines"] or [f"exit code {failure['exit_code']}"]
  return re.sub(r"[\d.e+-]*\d", "N", lines[-1])

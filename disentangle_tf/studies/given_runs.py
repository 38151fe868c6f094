"""given.json: the scores of a run that another machine finished."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from disentangle_tf.output_files import write_json

if TYPE_CHECKING:
  from disentangle_tf.studies.folders import RunFolder, StudyFolder
  from disentangle_tf.studies.plan import Plan
  from disentangle_tf.studies.results_files import Results


@dataclasses.dataclass(frozen=True)
class GivenRun:
  """The scores of a run that another machine finished.

  Attributes:
    plan: its `Plan`.
    rows: [(step, score, value)].
    key: first digits of its key; None if unknown.
    versions: {package: version} that computed the scores; {} if unknown.
  """

  plan: Plan
  rows: list[tuple[int, str, float]]
  key: str | None
  versions: Mapping[str, str]

  @property
  def last_scores(self) -> dict[str, float]:
    """{score: value} at the last step."""
    last = max(step for step, _, _ in self.rows)
    return {score: value for step, score, value in self.rows if step == last}


def write_given_runs(
  study: StudyFolder, plans: Sequence[Plan], results: Results
) -> None:
  """Record the runs of `results` as done, unless this study has scored them itself.

  Args:
    study: the `StudyFolder`.
    plans: all runs of the study.
    results: `Results` of some of them.
  """
  columns = ["step", "score", "value"]
  rows = {run: each[columns] for run, each in results.table.groupby("run")}
  for plan in plans:
    folder = study.run(plan)
    if plan.run in rows and not folder.scores.exists():
      folder.path.mkdir(parents=True, exist_ok=True)
      folder.write_plan(plan)
      content = {
        "rows": list(rows[plan.run].itertuples(index=False, name=None)),
        "key": results.keys.get(plan.run),
        "versions": results.versions.get(plan.run, {}),
      }
      write_json(folder.given, content)


def read_given_run(folder: RunFolder, plan: Plan) -> GivenRun:
  """The `GivenRun` of a `RunFolder` with given.json."""
  content = json.loads(folder.given.read_text(encoding="utf-8"))
  rows = [(step, score, value) for step, score, value in content["rows"]]
  return GivenRun(plan, rows, content["key"], content["versions"])

"""Results tables of other machines, as runs of a study."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.studies.finished_run import FinishedRun, run_label
from disentangle_tf.studies.plan import setting_text
from disentangle_tf.studies.results_files import Results
from disentangle_tf.studies.results_table import results_table

if TYPE_CHECKING:
  from disentangle_tf.studies.plan import Plan

_IDENTITY = ("method", "data", "setting", "seed")


@dataclasses.dataclass(frozen=True)
class PlannedResults:
  """The runs of a results table that a study plans.

  A run belongs to a plan if its name, method, data set, setting and seed agree. If the
  table has its key, the key shows whether gin files, bindings and metrics agree, too.

  Attributes:
    results: `Results` of these runs, with the strengths of the plan.
    left_out: names of the other runs of the table.
    without_key: runs whose key the table lacks.
    with_other_key: runs whose key differs from that of their plan.
  """

  results: Results
  left_out: list[str]
  without_key: list[str]
  with_other_key: list[str]

  def notes(self) -> list[str]:
    """Lines about runs that a reader of the results should know."""
    lines = {
      "do not belong to the study and are left out": self.left_out,
      "have no key: only method, data set, setting and seed are known to agree": (
        self.without_key
      ),
      "have another key: gin files, bindings, metrics or files that they name have "
      "changed since": self.with_other_key,
    }
    return [
      f"{len(runs):,} runs of the given tables {what} (the first is {runs[0]!r})"
      for what, runs in lines.items()
      if runs
    ]


def planned_results(results: Results, plans: Sequence[Plan]) -> PlannedResults:
  """The runs of `results` that a study plans.

  Args:
    results: `Results`, such as those of `merge_results`.
    plans: all runs of the study.

  Raises:
    UserError: if a run has the name of a planned one, but not its settings.
  """
  by_run = {plan.run: plan for plan in plans}
  rows = results.table.drop_duplicates("run")
  for run, *found in rows[["run", *_IDENTITY]].itertuples(index=False):
    plan = by_run.get(run)
    if plan is None:
      continue
    wanted = [plan.method, plan.data, setting_text(plan), plan.seed]
    if found != wanted:
      name = next(n for n, a, b in zip(_IDENTITY, found, wanted, strict=True) if a != b)
      place = _IDENTITY.index(name)
      raise UserError(
        f"run {run!r} of the given tables has the {name} {found[place]!r}, the study "
        f"plans {wanted[place]!r}: name tables of this study only"
      )
  runs = sorted(set(rows["run"]) & set(by_run))
  table = results.table[results.table["run"].isin(runs)]
  strengths = {run: by_run[run].strength for run in runs}
  chosen = results_table(
    table.assign(strength=table["run"].map(strengths).astype("int64")),
    taken=results.table.attrs.get("taken"),
    planned=len(plans),
  )
  kept = {run: results.keys[run] for run in runs if run in results.keys}
  return PlannedResults(
    Results(chosen, kept, {r: v for r, v in results.versions.items() if r in by_run}),
    left_out=sorted(set(rows["run"]) - set(by_run)),
    without_key=[run for run in runs if run not in kept],
    with_other_key=[r for r, key in kept.items() if not by_run[r].key.startswith(key)],
  )


class TableRun(FinishedRun):
  """A run of a results table: its scores are known, its model is elsewhere."""

  def __getattribute__(self, name: str) -> object:
    if name == "export":
      raise UserError("this figure needs the models, which a results table lacks")
    return super().__getattribute__(name)


def finished_in_table(results: Results, plans: Sequence[Plan]) -> list[FinishedRun]:
  """[`FinishedRun`] of all plans in `results`, with the scores of their last step."""
  scores = _last_scores(results)
  return [
    TableRun(
      run_label(plan),
      plan.settings,
      plan.seed,
      pathlib.Path(),
      scores[plan.run],
      results.versions.get(plan.run, {}),
    )
    for plan in plans
    if plan.run in scores
  ]


def _last_scores(results: Results) -> dict[str, dict[str, float]]:
  """{run: {score: value}} at the last step of each run."""
  table = results.table
  last = table.groupby("run")["step"].transform("max")
  scores: dict[str, dict[str, float]] = {}
  for run, score, value in table.loc[
    table["step"] == last, ["run", "score", "value"]
  ].itertuples(index=False):
    scores.setdefault(run, {})[score] = value
  return scores

"""Draw the plots of a study, and rehearse them with made-up scores."""

from __future__ import annotations

import collections
import inspect
import json
import pathlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_json, write_text
from disentangle_tf.studies.collect import collect
from disentangle_tf.studies.finished_run import FinishedRun, run_label
from disentangle_tf.studies.given_runs import read_given_run
from disentangle_tf.studies.plan import setting_text
from disentangle_tf.studies.planned_results import finished_in_table
from disentangle_tf.studies.results_files import write_results_files
from disentangle_tf.studies.results_table import COLUMNS, results_table
from disentangle_tf.studies.run_scores import read_final_scores
from disentangle_tf.studies.seed_medians import seed_medians
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.folders import StudyFolder
  from disentangle_tf.studies.plan import Plan
  from disentangle_tf.studies.results_files import Results


FIGURES = "figures.json"


def write_results(
  study: StudyFolder, plans: Sequence[Plan], plots: Iterable[Callable]
) -> tuple[int, list[UserError]]:
  """Write results.parquet, results.csv, scores.md and the figures.

  Figures show how many models are missing.

  Args:
    study: the `StudyFolder`.
    plans: its [`Plan`].
    plots: functions of `finished` or `table`, see `Study`.

  Returns:
    (number of finished models, result of `write_figures`).
  """
  table = collect(study, plans)
  finished = finished_runs(study, plans)
  if not finished:
    return 0, []
  return len(finished), _write_finished(study.path, finished, table, len(plans), plots)


def write_results_of_table(
  folder: pathlib.Path,
  results: Results,
  plans: Sequence[Plan],
  plots: Iterable[Callable],
) -> list[UserError]:
  """Write the same files as `write_results`, from a table and without any model.

  Args:
    folder: of the files.
    results: `Results` of runs of the study, at least one.
    plans: all runs of the study.
    plots: functions of `finished` or `table`, see `Study`.

  Returns:
    Result of `write_figures`.
  """
  write_results_files(folder, results)
  finished = finished_in_table(results, plans)
  return _write_finished(folder, finished, results.table, len(plans), plots)


def _write_finished(
  folder: pathlib.Path,
  finished: Sequence[FinishedRun],
  table: pd.DataFrame,
  planned: int,
  plots: Iterable[Callable],
) -> list[UserError]:
  """Write scores.md and the figures."""
  lacking = planned - len(finished)
  missing = f"{lacking} of {planned} models are missing" if lacking else ""
  lines = [f"**{missing}**\n"] if missing else []
  lines.append(scores_table(finished))
  write_text(folder / "scores.md", "\n".join(lines) + "\n")
  offered = {"finished": finished, "table": table}
  return write_figures(folder, plots, offered, missing)


def write_figures(
  folder: pathlib.Path,
  plots: Iterable[Callable],
  offered: dict[str, Any],
  missing: str = "",
) -> list[UserError]:
  """Write the figures of plots, and their captions to figures.json.

  Plots that cannot be drawn are reported; the others are still drawn.

  Args:
    folder: folder of the figures.
    plots: functions, see `Study`.
    offered: {argument of plots: its value}.
    missing: text about missing models, shown in the figures.

  Returns:
    [`UserError`] of plots that could not be drawn.
  """
  problems, listed = [], folder / FIGURES
  captions = json.loads(listed.read_text("utf-8")) if listed.exists() else {}
  for plot in plots:
    try:
      shown = plot(**asked_for(plot, offered))
    except UserError as error:
      problems.append(error)
      continue
    for name, each in shown.items():
      file = _write(folder / name, each, missing)
      captions[file.name] = _caption(plot)
  write_json(listed, captions)
  return problems


def finished_runs(study: StudyFolder, plans: Sequence[Plan]) -> list[FinishedRun]:
  """[`FinishedRun`] of all plans that are done."""
  found = []
  for plan in plans:
    folder = study.run(plan)
    if folder.state != "done":
      continue
    if folder.is_given:
      given = read_given_run(folder, plan)
      scores, versions = given.last_scores, given.versions
    else:
      content = read_final_scores(folder)
      scores, versions = content["scores"], content.get("versions", {})
    label, export = run_label(plan), folder.path / "export"
    found.append(FinishedRun(label, plan.settings, plan.seed, export, scores, versions))
  return found


def scores_table(finished: Sequence[FinishedRun]) -> str:
  """Markdown: the median over seeds of every score that all models have."""
  shared = set.intersection(*(set(each.scores) for each in finished))
  names = sorted(shared)  # a results table has this order, too
  settings = list(dict.fromkeys(name for each in finished for name in each.settings))
  rows = []
  for model, count, medians in seed_medians(finished):
    cells = [model.run, *(str(model.settings.get(name, "")) for name in settings)]
    rows.append([*cells, str(count), *(f"{medians[name]:.3f}" for name in names)])
  return markdown_table(["run", *settings, "seeds", *names], rows)


def asked_for(plot: Callable, offered: dict[str, Any]) -> dict[str, Any]:
  """The entries of {name: value} that a plot takes as arguments."""
  plot = inspect.unwrap(plot)
  wanted = inspect.signature(plot).parameters
  if "finished" in wanted and "finished" not in offered:
    raise UserError(f"{plot.__name__} needs the runs, which a results table lacks")
  return {name: value for name, value in offered.items() if name in wanted}


def _write(path: pathlib.Path, shown: Figure | str, missing: str) -> pathlib.Path:
  """Write a figure or Markdown; returns the file, for a figure the SVG."""
  from disentangle_tf import plots

  if isinstance(shown, str):
    path = path.with_suffix(".md")
    write_text(path, shown)
    return path
  if missing:
    shown.text(1, 0, missing, ha="right", va="top", color="tab:red")
  plots.save_figure(shown, path)
  return path.with_name(f"{path.name}.svg")


def _caption(plot: Callable) -> str:
  """The caption of a plot: the first line of its docstring."""
  return (inspect.getdoc(inspect.unwrap(plot)) or "").partition("\n")[0]


def rehearse(
  plot: Callable[..., dict], plans: Sequence[Plan], score_names: Sequence[str] | None
) -> dict:
  """Call `plot` with made-up scores, so that its errors appear before any training.

  A plot that opens models is executed up to that point.

  Args:
    plot: function of `finished` or `table`, see `Study`.
    plans: [`Plan`].
    score_names: names that the scores will have; None if unknown.

  Returns:
    What the plot returns; {} if it could not be executed to its end.

  Example:
    >>> from disentangle_tf import studies
    >>> def train(beta, seed):
    ...   ...
    >>> plans = studies.Study({"beta-VAE": train}, sweep={"beta": [1, 4]}).plans()
    >>> def plot_count(table):
    ...   return {"count.md": f"{len(table)} scores"}
    >>> studies.rehearse(plot_count, plans, ["mig"])
    {'count.md': '2 scores'}
  """
  scores = _AnyScore() if score_names is None else dict.fromkeys(score_names, 0.5)
  offered = {
    "finished": [
      _PlannedRun(run_label(plan), plan.settings, plan.seed, pathlib.Path(), scores)
      for plan in plans
    ]
  }
  asked = asked_for(plot, {**offered, "table": None})
  if "table" in asked:
    if score_names is None:
      return {}
    asked["table"] = _made_up_table(plans, score_names)
  try:
    return plot(**asked)
  except _NotTrainedError:
    return {}


def _made_up_table(plans: Sequence[Plan], score_names: Sequence[str]) -> pd.DataFrame:
  """A table with different values, so that all statistics are defined."""
  rows = []
  for number, plan in enumerate(plans):
    of_run = (plan.run, plan.method, plan.data, setting_text(plan), plan.strength)
    for place, name in enumerate(score_names):
      value = (1 + number * 7919 + place * 104729) % 9973 / 9973
      rows.append((*of_run, plan.seed, 1, name, value))
  columns = zip(*rows, strict=True)
  return results_table(
    dict(zip(COLUMNS, map(list, columns), strict=True)), planned=len(plans)
  )


class _NotTrainedError(Exception):
  """A plot opens a model that does not exist yet."""


class _PlannedRun(FinishedRun):
  """A planned run, which has no export yet."""

  def __getattribute__(self, name: str) -> Any:
    if name == "export":
      raise _NotTrainedError
    return super().__getattribute__(name)


class _AnyScore(collections.UserDict):
  """Scores of any name."""

  def __contains__(self, name: object) -> bool:
    return True

  def __getitem__(self, name: str) -> float:
    return 0.5

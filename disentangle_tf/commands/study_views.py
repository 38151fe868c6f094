"""Actions of bin/study.py that show a study and train nothing."""

from __future__ import annotations

import pathlib
import sys
import time
from collections.abc import Callable, Iterable, Sequence

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.study_executors import default_slots
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.status import Status, read_status
from disentangle_tf.studies.worker import last_lines

_UNKNOWN = (
  "time and disk space are unknown until runs are done: replace plan by run --sample "
  "--output_dir FOLDER, which executes one run of each method and data set"
)
_SHOWN = 5  # runs of a plan
_SECONDS_BETWEEN_LOOKS = 2.0


def open_study(values: flags.FlagValues) -> tuple[StudyFolder, list[Plan]]:
  """The `StudyFolder` of --output_dir, and its plans."""
  study_folder = StudyFolder(pathlib.Path(command_line.required(values, "output_dir")))
  plans = study_folder.read_plans()
  if values.mix_versions:
    study_folder.versions.mix()
  return study_folder, plans


def show_plan(values: flags.FlagValues) -> None:
  """Print the runs of a study, and its expected time and disk space."""
  from disentangle_tf.commands.study_configuration import read_study

  found, _ = read_study(values.gin_file, values.gin_bindings)
  plans = found.plans(plan_text)
  print(_counts(plans))
  for plan in plans[:_SHOWN]:
    print(f"  {plan.run}: {' '.join(plan.files)} {' '.join(plan.bindings)}")
  if len(plans) > _SHOWN:
    print(f"  and {len(plans) - _SHOWN:,} more")
  if values.output_dir and pathlib.Path(values.output_dir).is_dir():
    print_estimate(values, StudyFolder(pathlib.Path(values.output_dir)), plans)
  else:
    print(_UNKNOWN)


def _counts(plans: Sequence[Plan]) -> str:
  """Numbers of runs, methods, data sets and seeds as text."""
  counts = {
    "run": len(plans),
    "method": len({plan.method for plan in plans}),
    "data set": len({plan.data for plan in plans if plan.data}),
    "seed": len({plan.seed for plan in plans}),
  }
  return ", ".join(
    f"{count:,} {word}{'s' * (count > 1)}" for word, count in counts.items() if count
  )


def print_estimate(
  values: flags.FlagValues, study_folder: StudyFolder, plans: Sequence[Plan]
) -> Status:
  """Print and return the status, with the expected time and disk space."""
  from disentangle_tf.studies.status import read_disk_use

  at_a_time = values.slots or default_slots()
  if values.executor == "slurm":
    at_a_time = values.workers
  found = read_status(study_folder, plans)
  print(found.to_text(min(at_a_time, len(plans))))
  use = read_disk_use(study_folder, plans)
  print(use.to_text() if use else _UNKNOWN)
  return found


def show_status(values: flags.FlagValues) -> None:
  """Print the status; exit with 1 if the study is not finished.

  A terminal shows it again and again while runs are running.
  """
  study_folder, plans = open_study(values)
  while True:
    found = read_status(study_folder, plans)
    live = sys.stdout.isatty() and found.counts["running"]
    print(("\x1b[2J\x1b[H" if live else "") + found.to_text(), flush=True)
    if not live:
      break
    time.sleep(_SECONDS_BETWEEN_LOOKS)
  if not found.is_finished:
    sys.exit(1)


def show_log(values: flags.FlagValues, run: str) -> None:
  """Print the end of a run's log."""
  study_folder, plans = open_study(values)
  known = [plan.run for plan in plans]
  if run not in known:
    raise UserError(f"there is no run {run!r}{suggest(run, known)}")
  print("\n".join(last_lines(study_folder.path / run / "log.txt")))


def plot_study(values: flags.FlagValues) -> None:
  """Draw the plots of a study or of the flags, from runs or from a results table."""
  from disentangle_tf.commands.study_configuration import read_plots, read_study
  from disentangle_tf.studies.results_files import RESULTS

  folder = pathlib.Path(command_line.required(values, "output_dir"))
  study_folder = StudyFolder(folder)
  if not study_folder.has_plan and (folder / RESULTS).exists():
    plots = read_plots(values.gin_file, values.gin_bindings, values.figure)
    _plot_table(folder, plots)
    return
  study_folder, plans = open_study(values)
  if values.gin_file or values.figure:
    plots = read_plots(values.gin_file, values.gin_bindings, values.figure)
  else:
    found, _ = read_study([str(study_folder.configuration)], values.gin_bindings)
    plots = found.plots
  write_all(study_folder, plans, plots)


def _plot_table(folder: pathlib.Path, plots: Sequence[Callable]) -> None:
  """Draw plots of a results table that belongs to no study."""
  from disentangle_tf.studies.drawing import write_figures
  from disentangle_tf.studies.results_files import read_results

  errors = write_figures(folder, plots, {"table": read_results(folder)})
  if len(errors) < len(plots):
    print(f"written to {folder}")
  exit_with(not_drawn(errors))


def report_study(values: flags.FlagValues) -> None:
  """Write report.html."""
  study_folder, plans = open_study(values)
  path = _write_report(study_folder, plans, score=values.score)
  print(f"written to {path}")


def _write_report(
  study_folder: StudyFolder, plans: Sequence[Plan], *, score: str | None = None
) -> pathlib.Path:
  from disentangle_tf.studies.report import write_report

  command_line.start_tensorflow()
  return write_report(study_folder, plans, score=score)


def write_all(
  study_folder: StudyFolder, plans: Sequence[Plan], plots: Sequence[Callable]
) -> None:
  """Write table, figures and report; exit with 1 unless all runs are done and drawn."""
  from disentangle_tf.studies.drawing import write_results

  count, errors = write_results(study_folder, plans, plots)
  problems = not_drawn(errors)
  if count:
    print(f"\n{(study_folder.path / 'scores.md').read_text(encoding='utf-8')}")
    print(f"written to {study_folder.path}")
  _write_report(study_folder, plans)
  found = read_status(study_folder, plans)
  if not found.is_finished:
    problems.append(found.to_text())
  if found.counts["failed"]:
    problems.append("to requeue failed runs, use retry")
  exit_with(problems)


def not_drawn(errors: Iterable[UserError]) -> list[str]:
  """One line for each plot that could not be drawn."""
  return [f"not drawn: {explain(error)}" for error in errors]


def exit_with(problems: Sequence[str]) -> None:
  """Print the problems, and exit with 1 if there are any."""
  for problem in problems:
    print(f"study: {problem}", file=sys.stderr)
  if problems:
    sys.exit(1)

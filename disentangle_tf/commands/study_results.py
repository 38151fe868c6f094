"""--results of bin/study.py: results tables of other machines as runs of a study."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Sequence

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.named_contents import named_contents
from disentangle_tf.commands.study_views import exit_with, not_drawn
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import check_output_dir
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.planned_results import PlannedResults, planned_results
from disentangle_tf.studies.results_files import (
  RESULTS,
  Results,
  merge_results,
  read_results_file,
)
from disentangle_tf.studies.study_versions import check_same_versions


def read_given(values: flags.FlagValues, plans: Sequence[Plan]) -> PlannedResults:
  """The runs of the tables of --results that a study plans; prints what to know.

  Args:
    values: flags, with at least one --results.
    plans: all runs of the study.
  """
  merged = merge_results({name: read_results_file(name) for name in values.results})
  found = planned_results(merged, plans)
  if not values.mix_versions:
    check_same_versions(found.results.versions.items())
  for note in found.notes():
    print(f"study: {note}", file=sys.stderr)
  if not found.results.runs:
    raise UserError(
      f"--results {values.results[0]}: no run of it belongs to the study: name the "
      "--gin_file that trained it"
    )
  return found


def take_given(
  values: flags.FlagValues, study: StudyFolder, plans: Sequence[Plan]
) -> None:
  """Record the runs of --results as done, so that the study trains the rest."""
  from disentangle_tf.export.manifest import package_versions
  from disentangle_tf.studies.collect import study_results
  from disentangle_tf.studies.given_runs import write_given_runs

  found = read_given(values, plans)
  if found.with_other_key and not values.mix_versions:
    raise UserError(
      f"{found.with_other_key[0]!r} of --results was made with another configuration: "
      "leave that table out, or add --mix_versions to count its runs as done"
    )
  if not values.mix_versions:
    here = ("this machine", package_versions())
    check_same_versions([here, *found.results.versions.items()])
  # Runs that this study has scored itself must agree.
  merge_results(
    {str(study.path): study_results(study, plans), "--results": found.results}
  )
  write_given_runs(study, plans, found.results)
  print(f"{len(found.results.runs):,} of {len(plans):,} runs are in the given tables")


def plot_given(values: flags.FlagValues) -> None:
  """Draw the plots of a study, or of --figure, from the tables of --results alone."""
  from disentangle_tf.commands.study_configuration import read_plots, read_study
  from disentangle_tf.studies.drawing import write_results_of_table

  folder = pathlib.Path(command_line.required(values, "output_dir"))
  check_output_dir(folder, resume=True)
  if StudyFolder(folder).has_plan:
    raise UserError(
      f"{folder} is a study with its own results table: name another --output_dir, or "
      "use run --results to add runs to it"
    )
  command_line.start_tensorflow()
  study, _ = read_study(values.gin_file, values.gin_bindings)
  plans = study.plans(plan_text, named_contents)
  results = read_given(values, plans).results
  _check_keeps_all(folder, results)
  plots = study.plots
  if values.figure:
    plots = read_plots([], values.gin_bindings, values.figure)
  folder.mkdir(parents=True, exist_ok=True)
  errors = write_results_of_table(folder, results, plans, plots)
  print(f"\n{(folder / 'scores.md').read_text(encoding='utf-8')}")
  print(f"{len(results.runs):,} of {len(plans):,} runs; written to {folder}")
  problems = not_drawn(errors)
  if lacking := len(plans) - len(results.runs):
    problems.append(f"{lacking:,} of {len(plans):,} runs are in none of the tables")
  exit_with(problems)


def _check_keeps_all(folder: pathlib.Path, results: Results) -> None:
  """Raise a `UserError` if the folder's table has runs that would be lost."""
  if not (folder / RESULTS).exists():
    return
  lost = sorted(read_results_file(folder).runs - results.runs)
  if lost:
    raise UserError(
      f"{folder / RESULTS} has {len(lost):,} runs, such as {lost[0]!r}, that would be "
      "lost: name another --output_dir"
    )

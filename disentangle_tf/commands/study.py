r"""Trains and scores many models, and shows their results.

  python bin/study.py --gin_file gin/studies/michlo_figure_11.gin \
      --output_dir runs/figure_11
  python bin/study.py plan --gin_file gin/studies/michlo_figure_9.gin
  python bin/study.py status --output_dir runs/figure_11

  run      (default) executes all runs that are not done, then writes tables and
           figures; the same command again resumes the study
  plan     prints the number of runs, the first few, and the expected time and disk
           space, which are known once --sample has executed one run of each method
           and data set
  status   counts the runs that are done, failed, running and waiting, and estimates
           the time left
  work     executes runs of a study that another process started, until none is left
  retry    requeues failed runs
  logs RUN prints the end of a run's log
  collect  writes results.parquet and results.csv of the finished runs, or of the models
           of disentanglement_lib in the folder --from_dlib
  plot     draws tables and figures of the finished runs: those of the study, of
           --figure, or of --gin_file; with --results, of tables of other machines
  report   writes report.html, the whole study as one page; run and plot write it, too

A failed run is recorded with the end of its log, and the other runs continue. The exit
code is 0 only if all runs are done. See docs/studies.md.
"""

from __future__ import annotations

import os
import pathlib
import sys
import time
from collections.abc import Callable, Sequence

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import next_command
from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.named_contents import named_contents
from disentangle_tf.commands.study_executors import EXECUTORS
from disentangle_tf.commands.study_flags import check_flags, study_flags
from disentangle_tf.commands.study_views import (
  open_study,
  plot_study,
  print_estimate,
  report_study,
  show_log,
  show_plan,
  show_status,
  write_all,
)
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.output_files import check_output_dir, move_aside
from disentangle_tf.studies.executors.local import MORE
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import Plan, first_of_each

_SECONDS_BETWEEN_LOOKS = 2.0
_MOST_GROWTH = 2**29  # bytes: XLA keeps its programs, some 28 MiB per run


def study(values: flags.FlagValues, words: Sequence[str]) -> None:
  """Parse the words, and carry out their action."""
  action, *rest = words or ["run"]
  if action not in _ACTIONS:
    hint = suggest(action, _ACTIONS) or f": use {', '.join(_ACTIONS)}"
    raise UserError(f"unknown action {action!r}{hint}")
  wanted = 1 if action == "logs" else 0
  if len(rest) != wanted:
    if not wanted:
      raise UserError(f"unexpected argument {rest[0]!r} after {action}")
    raise UserError(f"{action} takes the name of one run, got {len(rest)}")
  check_flags(values, action)
  if values.dry_run and action == "run":
    action = "plan"
  _ACTIONS[action](values, *rest)


def _run(values: flags.FlagValues) -> None:
  """Execute all runs that are not done, and write their results."""
  folder = pathlib.Path(command_line.required(values, "output_dir"))
  if values.sample and values.executor in ("slurm", "none"):
    raise UserError(f"--sample waits for runs: leave --executor {values.executor} out")
  print("reading the configuration of all runs", flush=True)  # imports take seconds
  from disentangle_tf.commands.study_configuration import check_runs, read_study

  found, text = read_study(values.gin_file, values.gin_bindings)
  check_runs(
    found,
    found.plans(plan_text),
    lambda: read_study(values.gin_file, values.gin_bindings),
  )
  if values.overwrite and folder.is_dir() and any(folder.iterdir()):
    move_aside(folder)
  folder.mkdir(parents=True, exist_ok=True)
  study_folder = StudyFolder(folder)
  plans = found.plans(plan_text, named_contents)
  _begin(study_folder, plans, mix=values.mix_versions)
  study_folder.write_configuration(text, found.keep)
  if values.results:
    from disentangle_tf.commands.study_results import take_given

    take_given(values, study_folder, plans)
  study_folder.go_on()
  done = list(study_folder.states(plans).values()).count("done")
  print(f"{len(plans):,} planned, {done:,} done before", flush=True)
  if values.sample:
    _sample(values, study_folder, plans)
    return
  EXECUTORS[values.executor](values, study_folder, plans)
  if values.executor in ("local", "ray"):  # the others return at once
    write_all(study_folder, plans, found.plots)


def _begin(study_folder: StudyFolder, plans: Sequence[Plan], *, mix: bool) -> None:
  """Write the plan; refuse runs of other contents or package versions, unless mixed."""
  from disentangle_tf.export.manifest import package_versions
  from disentangle_tf.studies.drawing import finished_runs

  if mix:
    study_folder.versions.mix()
  done = [each.versions for each in finished_runs(study_folder, plans)]
  begun = any(study_folder.run(plan).read_plan() for plan in plans)
  different = study_folder.versions.begin(
    package_versions(), done=done, begun=begun, goes_on=len(done) < len(plans)
  )
  if different:
    print(f"study: {different}", file=sys.stderr)
  study_folder.write_plans(plans, older=mix)


def _sample(
  values: flags.FlagValues, study_folder: StudyFolder, plans: Sequence[Plan]
) -> None:
  """Execute one run of each method and data set, and print the estimates."""
  EXECUTORS[values.executor](values, study_folder, first_of_each(plans))
  found = print_estimate(values, study_folder, plans)
  sys.exit(1 if found.counts["failed"] else 0)


def _work(values: flags.FlagValues) -> None:
  """Execute runs until none is left, or until a limit of the flags is reached."""
  study_folder, plans = open_study(values)
  from disentangle_tf.commands.study_configuration import (
    make_worker,
    stop_at_warnings,
    stop_with_parent,
  )

  stop_at_warnings()
  stop_with_parent()
  if values.sample:
    plans = first_of_each(plans)
  worker = make_worker(
    study_folder,
    plans,
    most_runs=values.most_runs,
    seconds=values.seconds,
    most_growth=_MOST_GROWTH,
  )
  while not (has_more := worker.work()) and worker.awaits_a_sign():
    # Wait to take over the run of a lost worker; executors do so for their workers.
    if "DTF_PARENT" in os.environ:
      return
    time.sleep(_SECONDS_BETWEEN_LOOKS)
  if not has_more:
    return
  if values.most_runs or values.seconds:
    sys.exit(MORE)
  os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _retry(values: flags.FlagValues) -> None:
  """Requeue failed runs."""
  study_folder, plans = open_study(values)
  failed = [plan for plan in plans if study_folder.run(plan).state == "failed"]
  for plan in failed:
    study_folder.run(plan).retry()
  study_folder.go_on()
  runs = f"{len(failed)} run{'s' * (len(failed) != 1)}"
  print(f"{runs} requeued; repeat the command that started the study to execute them")


def _collect(values: flags.FlagValues) -> None:
  """Write the results table of the finished runs."""
  if values.from_dlib:
    _collect_from_dlib(values)
    return
  study_folder, plans = open_study(values)
  from disentangle_tf.studies.collect import collect

  count = collect(study_folder, plans)["run"].nunique()
  print(f"{count:,} of {len(plans):,} runs are in {study_folder.path}/results.parquet")


def _collect_from_dlib(values: flags.FlagValues) -> None:
  """Write the results table of models of disentanglement_lib."""
  from disentangle_tf.papers.locatello.dlib_results import read_dlib_results
  from disentangle_tf.studies.results_files import Results, write_results_files

  study_folder = StudyFolder(pathlib.Path(command_line.required(values, "output_dir")))
  check_output_dir(study_folder.path, resume=True)
  if study_folder.has_plan:
    raise UserError(
      f"{study_folder.path} is a study with its own results table: name another "
      "--output_dir"
    )
  table = read_dlib_results(values.from_dlib)
  study_folder.path.mkdir(parents=True, exist_ok=True)
  write_results_files(study_folder.path, Results(table))
  print(f"{table['run'].nunique():,} models are in {study_folder.path}/results.parquet")
  figures = ["--figure", "locatello_all"]
  output = ["--output_dir", study_folder.path]
  print(next_command("study", "plot", *figures, *output))


def _plot(values: flags.FlagValues) -> None:
  """Draw the plots of finished runs, or of the tables of --results."""
  if values.results:
    from disentangle_tf.commands.study_results import plot_given

    plot_given(values)
  else:
    plot_study(values)


_ACTIONS: dict[str, Callable[..., None]] = {
  "run": _run,
  "plan": show_plan,
  "status": show_status,
  "work": _work,
  "retry": _retry,
  "logs": show_log,
  "collect": _collect,
  "plot": _plot,
  "report": report_study,
}


def main() -> None:
  """Entry point of bin/study.py and dtf_study."""
  values = study_flags(EXECUTORS)
  command_line.run(study, values, __doc__, takes_words=True)


if __name__ == "__main__":
  main()

r"""Trains and scores many models, and shows what came out.

  python bin/study.py --gin_file gin/studies/michlo_figure_11.gin \
      --output_dir runs/figure_11
  python bin/study.py plan --gin_file gin/studies/michlo_figure_9.gin
  python bin/study.py status --output_dir runs/figure_11

  run      (the default) does all runs that are not done, then tables and figures; the
           same command again goes on where it stopped
  plan     how many runs there are, the first few, and what they will take, which is
           known once --sample has done one run of each method and data set
  status   how many are done, running, failed and waiting, and the time that is left
  work     takes runs of a study that somebody else started, until none is left
  retry    lets runs that failed wait again
  logs RUN the end of what a run said
  collect  results.parquet and results.csv of what is done, or of what
           disentanglement_lib left in the folder --from_dlib
  plot     tables and figures of what is done: the study's own, that of --figure, or
           those of --gin_file
  report   report.html: all of the study as one page, whatever is done; run and plot
           write it too

A run that fails is recorded with the end of what it said, and the others go on. The
exit code is 0 only if all runs are done. docs/studies.md says more.
"""

import os
import pathlib
import sys
import time

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import next_command
from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.named_contents import named_contents
from disentangle_tf.commands.study_flags import (
  EXECUTORS,
  RUNS_PER_PROCESS,
  check_flags,
  default_slots,
  study_flags,
)
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.output_files import check_output_dir, move_aside
from disentangle_tf.studies.executors.local import MORE
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import first_of_each
from disentangle_tf.studies.status import read_status
from disentangle_tf.studies.worker import last_lines

_NOT_KNOWN = (
  "time and disk are known once runs are done: with --output_dir, and --sample in "
  "place of plan, this does one run of each method and data set"
)
_SHOWN = 5  # runs of a plan
_SECONDS_BETWEEN_LOOKS = 2.0


def study(values, words):
  """Does what the words say."""
  action, *rest = words or ["run"]
  if action not in _ACTIONS:
    raise UserError(
      f"what does {action!r} mean{suggest(action, _ACTIONS) or '?'} say "
      f"{', '.join(_ACTIONS)}"
    )
  wanted = 1 if action == "logs" else 0
  if len(rest) != wanted:
    raise UserError(f"{action} takes {wanted or 'no'} name of a run, got {len(rest)}")
  check_flags(values, action)
  if values.dry_run and action == "run":
    action = "plan"
  _ACTIONS[action](values, *rest)


def _run(values):
  """Does all that is not done."""
  folder = pathlib.Path(command_line.required(values, "output_dir"))
  from disentangle_tf.commands.study_configuration import check_runs, read_study

  if values.sample and values.executor in ("slurm", "none"):
    raise UserError(f"--sample waits for runs: leave --executor {values.executor} out")
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
  study_folder.go_on()
  if values.sample:
    EXECUTORS[values.executor](values, study_folder, first_of_each(plans))
    status = _estimate(values, study_folder, plans)
    sys.exit(1 if status.counts["failed"] else 0)
  EXECUTORS[values.executor](values, study_folder, plans)
  if values.executor in ("local", "ray"):  # the others return at once
    _finish(study_folder, plans, found.plots)


def _begin(study_folder, plans, *, mix):
  """Writes the plan, unless runs of other contents or versions would be mixed."""
  from disentangle_tf.export.manifest import package_versions
  from disentangle_tf.studies.drawing import finished_runs

  if mix:
    study_folder.versions.mix()
  done = [each.versions for each in finished_runs(study_folder, plans)]
  begun = any(study_folder.run(plan).read_plan() for plan in plans)
  options = {"done": done, "begun": begun, "goes_on": len(done) < len(plans)}
  different = study_folder.versions.begin(package_versions(), **options)
  if different:
    print(f"study: {different}", file=sys.stderr)
  study_folder.write_plans(plans, older=mix)


def _finish(study_folder, plans, plots):
  """Writes what came out; exits with 1 unless all is done and drawn."""
  from disentangle_tf.studies.drawing import write_results

  count, errors = write_results(study_folder, plans, plots)
  problems = _not_drawn(errors)
  if count:
    print(f"\n{(study_folder.path / 'scores.md').read_text(encoding='utf-8')}")
    print(f"written to {study_folder.path}")
  _write_report(study_folder, plans)
  status = read_status(study_folder, plans)
  if not status.is_finished:
    problems.append(status.to_text())
  if status.counts["failed"]:
    problems.append("retry lets failed runs wait again")
  _exit_with(problems)


def _not_drawn(errors):
  return [f"not drawn: {explain(error)}" for error in errors]


def _exit_with(problems):
  """Says what is not as it should be, and exits with 1 if there is any of it."""
  for problem in problems:
    print(f"study: {problem}", file=sys.stderr)
  if problems:
    sys.exit(1)


def _plan(values):
  """Says what the study would do."""
  from disentangle_tf.commands.study_configuration import read_study

  found, _ = read_study(values.gin_file, values.gin_bindings)
  plans = found.plans(plan_text)
  methods = dict.fromkeys(plan.method for plan in plans)
  sets = dict.fromkeys(plan.data for plan in plans if plan.data)
  seeds = dict.fromkeys(plan.seed for plan in plans)
  counts = {"run": plans, "method": methods, "data set": sets, "seed": seeds}
  words = [f"{len(n):,} {word}{'s' * (len(n) > 1)}" for word, n in counts.items() if n]
  print(", ".join(words))
  for plan in plans[:_SHOWN]:
    print(f"  {plan.run}: {' '.join(plan.files)} {' '.join(plan.bindings)}")
  if len(plans) > _SHOWN:
    print(f"  and {len(plans) - _SHOWN:,} more")
  if values.output_dir and pathlib.Path(values.output_dir).is_dir():
    _estimate(values, StudyFolder(pathlib.Path(values.output_dir)), plans)
  else:
    print(_NOT_KNOWN)


def _estimate(values, study_folder, plans):
  """Says how long the study will take, and how much space, if a run tells.

  Returns:
    The `Status`.
  """
  from disentangle_tf.studies.status import read_disk_use

  at_a_time = values.slots or default_slots()
  if values.executor == "slurm":
    at_a_time = values.workers
  status = read_status(study_folder, plans)
  print(status.to_text(min(at_a_time, len(plans))))
  use = read_disk_use(study_folder, plans)
  print(use.to_text() if use else _NOT_KNOWN)
  return status


def _status(values):
  study_folder, plans = _open(values)
  while True:
    status = read_status(study_folder, plans)
    live = sys.stdout.isatty() and status.counts["running"]
    print(("\x1b[2J\x1b[H" if live else "") + status.to_text(), flush=True)
    if not live:
      break
    time.sleep(_SECONDS_BETWEEN_LOOKS)
  if not status.is_finished:
    sys.exit(1)


def _work(values):
  """Takes runs until none is left, or as many as it was told to."""
  study_folder, plans = _open(values)
  from disentangle_tf.commands.study_configuration import (
    heed_warnings,
    make_worker,
    stop_with_parent,
  )

  heed_warnings()
  stop_with_parent()
  if values.sample:
    plans = first_of_each(plans)
  worker = make_worker(
    study_folder,
    plans,
    most_runs=values.most_runs or RUNS_PER_PROCESS,
    seconds=values.seconds,
  )
  while not (has_more := worker.work()) and worker.awaits_a_sign():
    # Nobody else may come for the run of a lost worker; children's executors do.
    if "DTF_PARENT" in os.environ:
      return
    time.sleep(_SECONDS_BETWEEN_LOOKS)
  if not has_more:
    return
  if values.most_runs or values.seconds:
    sys.exit(MORE)
  os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _retry(values):
  study_folder, plans = _open(values)
  failed = [plan for plan in plans if study_folder.run(plan).state == "failed"]
  for plan in failed:
    study_folder.run(plan).retry()
  study_folder.go_on()
  print(f"{len(failed)} runs wait again; the command that started the study does them")


def _logs(values, run):
  study_folder, plans = _open(values)
  known = [plan.run for plan in plans]
  if run not in known:
    raise UserError(f"there is no run {run!r}{suggest(run, known)}")
  print("\n".join(last_lines(study_folder.path / run / "log.txt")))


def _collect(values):
  if values.from_dlib:
    _collect_from_dlib(values)
    return
  study_folder, plans = _open(values)
  from disentangle_tf.studies.collect import collect

  count = collect(study_folder, plans)["run"].nunique()
  print(f"{count:,} of {len(plans):,} runs are in {study_folder.path}/results.parquet")


def _collect_from_dlib(values):
  """Makes the table of disentanglement_lib's models, which are no study of ours."""
  from disentangle_tf.papers.locatello.dlib_results import read_dlib_results
  from disentangle_tf.studies.collect import write_table

  study_folder = StudyFolder(pathlib.Path(command_line.required(values, "output_dir")))
  check_output_dir(study_folder.path, resume=True)
  if study_folder.has_plan:
    raise UserError(
      f"{study_folder.path} is a study with a table of its own: name another "
      "--output_dir"
    )
  table = read_dlib_results(values.from_dlib)
  study_folder.path.mkdir(parents=True, exist_ok=True)
  write_table(study_folder.path, table)
  print(f"{table['run'].nunique():,} models are in {study_folder.path}/results.parquet")
  figures = ["--figure", "locatello_all"]
  output = ["--output_dir", study_folder.path]
  print(next_command("study", "plot", *figures, *output))


def _plot(values):
  """Draw a study, or a table without one: its own plots, or those of the flags."""
  from disentangle_tf.commands.study_configuration import read_plots, read_study
  from disentangle_tf.studies.collect import RESULTS, read_results
  from disentangle_tf.studies.drawing import write_figures

  folder = pathlib.Path(command_line.required(values, "output_dir"))
  study_folder = StudyFolder(folder)
  if not study_folder.has_plan and (folder / RESULTS).exists():
    plots = read_plots(values.gin_file, values.gin_bindings, values.figure)
    errors = write_figures(folder, plots, {"table": read_results(folder)})
    if len(errors) < len(plots):
      print(f"written to {folder}")
    _exit_with(_not_drawn(errors))
    return
  study_folder, plans = _open(values)
  if values.gin_file or values.figure:
    plots = read_plots(values.gin_file, values.gin_bindings, values.figure)
  else:
    found, _ = read_study([study_folder.configuration], values.gin_bindings)
    plots = found.plots
  _finish(study_folder, plans, plots)


def _report(values):
  study_folder, plans = _open(values)
  path = _write_report(study_folder, plans, score=values.score)
  print(f"written to {path}")


def _write_report(study_folder, plans, **options):
  from disentangle_tf.commands.command_line import start_tensorflow
  from disentangle_tf.studies.report import write_report

  start_tensorflow()
  return write_report(study_folder, plans, **options)


_ACTIONS = {
  "run": _run,
  "plan": _plan,
  "status": _status,
  "work": _work,
  "retry": _retry,
  "logs": _logs,
  "collect": _collect,
  "plot": _plot,
  "report": _report,
}


def _open(values):
  """(the `StudyFolder`, its plans)."""
  study_folder = StudyFolder(pathlib.Path(command_line.required(values, "output_dir")))
  plans = study_folder.read_plans()
  if values.mix_versions:
    study_folder.versions.mix()
  return study_folder, plans


def main():
  """Entry point of bin/study.py and dtf_study."""
  values = study_flags(EXECUTORS)
  command_line.run(study, values, __doc__, takes_words=True)


if __name__ == "__main__":
  main()

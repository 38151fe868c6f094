"""A study and its runs, from gin files to workers."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
import signal
from collections.abc import Callable, Sequence
from typing import Any

import gin

from disentangle_tf import scoring
from disentangle_tf.arguments import check_count
from disentangle_tf.commands.command_line import explain_disk, start_tensorflow
from disentangle_tf.commands.configured_measurements import configured_measurements
from disentangle_tf.commands.evaluate import evaluate_arguments
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.commands.gin_files import shipped
from disentangle_tf.commands.metric_settings import metric_settings
from disentangle_tf.commands.train import configured_training
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.folders import RunFolder, StudyFolder, keep_files
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.run import GIVEN, Run, train_and_score
from disentangle_tf.studies.study import Study
from disentangle_tf.studies.worker import Worker


def read_run(plan: Plan) -> Run:
  """Read the training and the metrics of a `Plan`.

  gin holds one configuration at a time, and the training needs its own while it runs.
  So the metrics are read first.
  """
  from disentangle_tf import evaluation, training
  from disentangle_tf.data.serialisation import data_to_config, is_made_here

  arguments = metric_arguments(plan.metrics)
  train = configured_training(plan.files, plan.bindings)
  data = gin.get_bindings(training.train).get("data")
  # A manifest can name this project's data sets only; others are passed on.
  if data is not None and not is_made_here(data_to_config(data)):
    arguments["data"] = data
  return Run(train, functools.partial(evaluation.evaluate, **arguments))


def metric_arguments(metrics: str) -> dict[str, Any]:
  """Read the arguments of `evaluation.evaluate` that a study's metrics set.

  Args:
    metrics: name of a protocol, or a gin file.
  """
  return evaluate_arguments(*metric_settings(metrics), given=GIVEN)


_EXAMPLE = "gin/studies/michlo_figure_10.gin"


def read_study(files: Sequence[str], bindings: Sequence[str]) -> tuple[Study, str]:
  """(the `Study`, the text of its configuration) of gin files and bindings."""
  from disentangle_tf import studies

  if not files:
    raise UserError(f"--gin_file is missing: try --gin_file {_EXAMPLE}")
  arguments = _arguments(files, bindings)
  return studies.Study(**arguments), gin.config_str()


def read_plots(
  files: Sequence[str], bindings: Sequence[str], figure: str | None = None
) -> Sequence[Callable]:
  """The plots of gin files and bindings, which need not set any runs.

  Args:
    files, bindings: gin files, and gin bindings that override them.
    figure: replaces the files: a name of `papers.FIGURES`, or the name of a shipped
      study, which stands for all its plots.
  """
  if figure and files:
    raise UserError(f"--figure {figure} and --gin_file {files[0]}: keep one")
  if not (figure or files):
    raise UserError(
      "this results table belongs to no study, so it has no plots: add --figure "
      "locatello_all, another figure of docs/studies.md, or a --gin_file"
    )
  if figure:
    files, demanded = _figure_settings(figure)
    bindings = [*demanded, *bindings]
  plots = _arguments(files, bindings, optional=["runs"]).get("plots")
  if not plots:
    raise UserError(f"{', '.join(files)} sets no studies.Study.plots to draw")
  return plots


def _figure_settings(name: str) -> tuple[list[str], list[str]]:
  """The (gin files, gin bindings) that set the plots of a figure."""
  from disentangle_tf import papers

  known = sorted({*papers.FIGURES, *shipped("studies")})
  if name not in known:
    raise UserError(
      f"there is no figure {name!r}{suggest(name, known)} "
      f"(the figures are {', '.join(known)})"
    )
  if name not in papers.FIGURES:
    return [f"gin/studies/{name}.gin"], []
  plots = ", ".join(f"@{_gin_name(plot)}" for plot in papers.FIGURES[name])
  return [], [f"studies.Study.plots = [{plots}]"]


def _gin_name(plot: Callable) -> str:
  """The public name of a plot, as a gin file writes it."""
  from disentangle_tf import papers, studies

  packages = {
    "papers.locatello": papers.locatello,
    "papers.zietlow": papers.zietlow,
    "studies.figures": studies.figures,
    "studies": studies,
  }
  home = next(name for name, each in packages.items() if hasattr(each, plot.__name__))
  return f"{home}.{plot.__name__}"


def _arguments(
  files: Sequence[str], bindings: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, Any]:
  """The configured arguments of `Study`."""
  from disentangle_tf import studies

  if bindings:  # they may name parts of TensorFlow
    start_tensorflow()
  read = read_configuration(files, bindings)
  arguments = read.arguments_for(studies.Study, _EXAMPLE, optional=optional)
  for plot in arguments.get("plots", ()):
    read.options_of(plot)  # marks them as read: the plot is called at the end
  read.check_read()
  return arguments


def check_runs(
  study: Study, plans: Sequence[Plan], read_again: Callable[[], object]
) -> None:
  """Raise a `UserError` for mistakes that would otherwise appear after training.

  The configuration of every run is read, for one seed, and every plot is rehearsed.

  Args:
    study: the `Study`.
    plans: its [`Plan`].
    read_again: function that restores the study's configuration, which reading the
      runs replaces.
  """
  from disentangle_tf import studies

  start_tensorflow()
  try:
    for plan in plans:
      if plan.seed == plans[0].seed:
        read_configuration(plan.files, plan.bindings)
    names = _score_names(study.metrics)
  finally:
    read_again()
  for plot in study.plots:
    studies.rehearse(plot, plans, names)


def _score_names(metrics: str) -> list[str] | None:
  """Names of the scores that `evaluate` will write; None if unknown."""
  from disentangle_tf.evaluation.taken_measurements import taken_measurements

  read = read_configuration(*metric_settings(metrics))
  try:
    found = gin.get_bindings("evaluation.evaluate")
  except ValueError:  # the configuration does not name it
    found = {}
  if not found.get("measurements"):
    raise UserError(f"{metrics} sets no evaluation.evaluate.measurements")
  settings = ("num_points", "num_test_points", "sampled")
  taken, _ = taken_measurements(
    configured_measurements(found["measurements"], read),
    **{name: found[name] for name in settings if name in found},
  )
  repeats = found.get("repeats", 1)
  check_count("evaluate", repeats=repeats)
  return scoring.score_names(taken, repeats=repeats)


_PR_SET_PDEATHSIG = 1


def make_worker(
  study_folder: StudyFolder, plans: Sequence[Plan], **options: Any
) -> Worker:
  """A `Worker` of the `StudyFolder`, with further `options` of `Worker`.

  TensorFlow is loaded with the first run, so a worker without runs does not load it.
  """
  functions = {plan.function for plan in plans if plan.function}
  if functions:
    raise UserError(
      f"{study_folder.path} was begun in Python: resume it with studies.run_study and "
      f"the functions {', '.join(sorted(functions))}"
    )
  keep = study_folder.read_keep()
  # Those of all runs: a later run of this process may name another precision.
  files = {file for plan in plans for file in plan.files}
  bindings = {binding for plan in plans for binding in plan.bindings}

  def perform(plan: Plan, folder: pathlib.Path) -> None:
    start_tensorflow(files, bindings)
    from disentangle_tf.commands.named_contents import check_contents
    from disentangle_tf.export.manifest import package_versions

    check_contents(plan)
    study_folder.versions.check(package_versions())
    train_and_score(read_run(plan), folder)
    keep_files(RunFolder(folder), keep)

  return Worker(
    study_folder.path,
    plans,
    perform,
    explain=lambda error: explain(error) or explain_disk(error),
    is_passing=_is_passing,
    say=_say,
    **options,
  )


def work_on_run(output_dir: str | os.PathLike[str], run: str) -> None:
  """Execute one run of a study, unless it is done or another worker has it."""
  study_folder = StudyFolder(pathlib.Path(output_dir))
  make_worker(study_folder, study_folder.read_plans()).work(only=run)


def stop_with_parent() -> None:
  """Let Linux send SIGTERM to this process when its parent process ends."""
  parent = os.environ.get("DTF_PARENT")
  if parent is None:
    return
  libc = ctypes.CDLL(None, use_errno=True)
  if hasattr(libc, "prctl"):
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
  if os.getppid() != int(parent):  # the parent has already ended
    raise KeyboardInterrupt


def stop_at_warnings() -> None:
  """Handle SIGUSR1 and SIGUSR2, with which Slurm warns a whole job, like SIGTERM.

  A worker with a parent process ignores them, because the parent sends it SIGTERM.
  """

  def stop(*_: object) -> None:
    signal.raise_signal(signal.SIGTERM)

  for number in (signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(number, signal.SIG_IGN if "DTF_PARENT" in os.environ else stop)


def _is_passing(error: Exception) -> bool:
  """Whether memory ran out, so that another attempt may succeed."""
  exhausted = type(error).__name__ == "ResourceExhaustedError"  # TensorFlow's
  return exhausted or isinstance(error, MemoryError)


def _say(line: str) -> None:
  print(line, flush=True)

"""A worker of a study in this process: it trains and scores run after run."""

import ctypes
import os
import pathlib
import signal

from disentangle_tf.commands.disk_errors import explain_disk
from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.errors import UserError
from disentangle_tf.studies.keep_files import keep_files
from disentangle_tf.studies.run import train_and_score
from disentangle_tf.studies.run_folder import RunFolder
from disentangle_tf.studies.study_folder import StudyFolder
from disentangle_tf.studies.worker import Worker

_PR_SET_PDEATHSIG = 1


def make_worker(study_folder, plans, **options):
  """A `Worker` of the `StudyFolder`; options as of that.

  TensorFlow is loaded with the first run, not by a worker that finds nothing to do.
  """
  functions = {plan.function for plan in plans if plan.function}
  if functions:
    raise UserError(
      f"{study_folder.path} was begun in Python: go on with studies.run_study, which "
      f"has {', '.join(sorted(functions))}"
    )
  keep = study_folder.read_keep()
  # Of all runs: what the first one needs not, a later one of this process may.
  files = {file for plan in plans for file in plan.files}
  bindings = {binding for plan in plans for binding in plan.bindings}

  def perform(plan, folder):
    from disentangle_tf.commands.quiet_start import start_tensorflow

    start_tensorflow(files, bindings)
    from disentangle_tf.commands.named_contents import check_contents
    from disentangle_tf.commands.run_configuration import read_run
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


def work_on_run(output_dir, run):
  """Does one run of a study, unless it is done or somebody else has it."""
  study_folder = StudyFolder(pathlib.Path(output_dir))
  make_worker(study_folder, study_folder.read_plans()).work(only=run)


def stop_with_parent():
  """Has Linux send SIGTERM to this process when the one that started it ends."""
  parent = os.environ.get("DTF_PARENT")
  if parent is None:
    return
  libc = ctypes.CDLL(None, use_errno=True)
  if hasattr(libc, "prctl"):
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
  if os.getppid() != int(parent):  # it was too late
    raise KeyboardInterrupt


def heed_warnings():
  """Has SIGUSR1 and SIGUSR2, by which Slurm warns a whole job, stop as SIGTERM does.

  A worker that another process started leaves them to that, which sends it SIGTERM.
  """

  def stop(*_):
    signal.raise_signal(signal.SIGTERM)

  for number in (signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(number, signal.SIG_IGN if "DTF_PARENT" in os.environ else stop)


def _is_passing(error):
  """Whether memory was lacking, of which there may be more another time."""
  exhausted = type(error).__name__ == "ResourceExhaustedError"  # TensorFlow's
  return exhausted or isinstance(error, MemoryError)


def _say(line):
  print(line, flush=True)

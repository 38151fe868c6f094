"""Flags and executors of bin/study.py."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import next_command
from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  from disentangle_tf.studies.folders import StudyFolder
  from disentangle_tf.studies.plan import Plan

_BY_ALL = {"help", "traceback", "output_dir"}
_OF_RUN = {
  *("gin_file", "gin_bindings", "overwrite", "dry_run", "sample", "mix_versions"),
  *("executor", "slots", "workers", "minutes", "memory_gib", "partition", "cores"),
  *("gpus", "ray_address"),
}
# The flags that each action reads; plan accepts those of the run that it plans.
_READ = {
  "run": _OF_RUN,
  "plan": _OF_RUN,
  "work": {"sample", "most_runs", "seconds", "mix_versions"},
  "collect": {"from_dlib", "mix_versions"},
  "plot": {"figure", "gin_file", "gin_bindings", "mix_versions"},
  "report": {"score"},
}


def check_flags(values: flags.FlagValues, action: str) -> None:
  """Raise a `UserError` for a flag that the user set and that the action ignores.

  Args:
    values: result of `study_flags`.
    action: such as "status".
  """
  read = _BY_ALL | _READ.get(action, set())
  for name in values:
    if values[name].present and values[name].name not in read:
      others = [each for each, names in _READ.items() if values[name].name in names]
      raise UserError(
        f"{action} ignores --{values[name].name}, which is a flag of "
        f"{', '.join(others)}: leave it out"
      )


def study_flags(executors: Iterable[str]) -> flags.FlagValues:
  """New flags, with those of bin/study.py.

  Args:
    executors: names of the choices of --executor.
  """
  values = command_line.gin_flags()
  values.set_gnu_getopt()  # flags may follow the words
  flags.DEFINE_bool("dry_run", False, "Same as the action plan.", flag_values=values)
  flags.DEFINE_bool(
    "sample",
    False,
    "run, work: execute only the first run of each method and data set; run then "
    "estimates time and disk space of the study.",
    flag_values=values,
  )
  flags.DEFINE_enum(
    "executor",
    "local",
    list(executors),
    "run: what executes the runs; local is this machine, and none leaves them to "
    "workers that you start with the action work.",
    flag_values=values,
  )
  flags.DEFINE_integer(
    "slots",
    None,
    "run, local: runs at a time; by default one per GPU, or one per core without GPU.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_integer(
    "workers",
    8,
    "run, slurm: number of jobs in the array.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_integer(
    "minutes",
    240,
    "run, slurm: time limit of a job, which Slurm warns up to 2.5 minutes before.",
    flag_values=values,
    lower_bound=5,
  )
  flags.DEFINE_integer(
    "memory_gib", 8, "run, slurm: memory of a job.", flag_values=values, lower_bound=1
  )
  flags.DEFINE_string(
    "partition", None, "run, slurm: name of the partition.", flag_values=values
  )
  flags.DEFINE_integer(
    "cores",
    None,
    "run: threads per run; by default 1 under Slurm and Ray, and an equal share of the "
    "machine's cores under local.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_float(
    "gpus",
    0.0,
    "run, slurm and ray: GPUs per run; a fraction shares a GPU under Ray.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "ray_address",
    None,
    "run, ray: address of a cluster; by default Ray starts one.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "from_dlib",
    None,
    "collect: a folder with result files of disentanglement_lib.",
    flag_values=values,
  )
  flags.DEFINE_integer(
    "most_runs",
    None,
    "work: largest number of runs to execute.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_float(
    "seconds",
    None,
    "work: time limit; a run that may exceed it is not started.",
    flag_values=values,
  )
  flags.DEFINE_bool(
    "mix_versions",
    False,
    "Compare scores of several package versions, and keep runs that an earlier version "
    "of this package began. The study records this.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "figure",
    None,
    "plot: name of a paper's figure, such as locatello_figure_6 (docs/studies.md).",
    flag_values=values,
  )
  flags.DEFINE_string(
    "score",
    None,
    "report: score that ranks the best and worst models.",
    flag_values=values,
  )
  return values


RUNS_PER_PROCESS = 10  # each run leaks 40 MiB, see docs/results.md


def _local(
  values: flags.FlagValues, study_folder: StudyFolder, plans: Sequence[Plan]
) -> None:
  from disentangle_tf.studies.executors.local import LocalExecutor, local_slots

  slots = local_slots(
    values.slots or default_slots(), cores=values.cores, gpus=_count_gpus()
  )
  command = [*_worker_command(study_folder), *["--sample"] * values.sample]
  stopped = LocalExecutor(slots, command, study_folder, plans).run()
  if stopped is not None:
    raise KeyboardInterrupt


def _slurm(
  values: flags.FlagValues, study_folder: StudyFolder, plans: Sequence[Plan]
) -> None:
  from disentangle_tf.studies.executors.slurm import submit_to_slurm

  array = submit_to_slurm(
    study_folder.path,
    _worker_command(study_folder),
    workers=min(values.workers, len(plans)),
    cores=values.cores or 1,
    gpus=int(values.gpus),
    minutes=values.minutes,
    memory_gib=values.memory_gib,
    partition=values.partition,
  )
  print(f"submitted array {array}; next:")
  for word in ("status", "plot"):
    print(next_command("study", word, "--output_dir", study_folder.path))


def _none(
  values: flags.FlagValues, study_folder: StudyFolder, plans: Sequence[Plan]
) -> None:
  print(f"{len(plans):,} runs are planned; start workers, on any number of machines:")
  print(next_command("study", "work", "--output_dir", study_folder.path))


def _ray(
  values: flags.FlagValues, study_folder: StudyFolder, plans: Sequence[Plan]
) -> None:
  from disentangle_tf.commands.study_configuration import work_on_run
  from disentangle_tf.studies.executors.ray import run_on_ray

  states = study_folder.states(plans)
  waiting = [run for run, state in states.items() if state in ("waiting", "running")]
  lost = run_on_ray(
    study_folder.path.resolve(),
    waiting,
    work_on_run,
    address=values.ray_address,
    cores=values.cores or 1,
    gpus=values.gpus,
  )
  reasons = {error.splitlines()[-1]: run for run, error in lost.items()}
  for reason, run in reasons.items():
    print(f"study: {run}: {reason}", file=sys.stderr)


EXECUTORS: dict[str, Callable[..., None]] = {
  "local": _local,
  "slurm": _slurm,
  "ray": _ray,
  "none": _none,
}


def _worker_command(study_folder: StudyFolder) -> list[str]:
  return [
    *(sys.executable, "-m", "disentangle_tf.commands.study", "work"),
    *("--output_dir", str(study_folder.path.resolve())),
    *("--most_runs", str(RUNS_PER_PROCESS)),
  ]


def default_slots() -> int:
  """Runs at a time: one per GPU, or one per core without GPU."""
  return _count_gpus() or os.cpu_count() or 1


def _count_gpus() -> int:
  """Number of GPUs that this process may use, found without TensorFlow."""
  visible = os.environ.get("CUDA_VISIBLE_DEVICES")
  if visible is not None:
    return len([number for number in visible.split(",") if number.strip()])
  return len(list(pathlib.Path("/proc/driver/nvidia/gpus").glob("*")))

"""Flags of bin/study.py, and the actions that read them."""

from __future__ import annotations

from collections.abc import Iterable

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.errors import UserError

_BY_ALL = {"help", "traceback", "output_dir"}
_OF_RUN = {
  *("gin_file", "gin_bindings", "overwrite", "dry_run", "sample", "mix_versions"),
  *("results",),
  *("executor", "slots", "workers", "minutes", "memory_gib", "partition", "cores"),
  *("gpus", "ray_address"),
}
# The flags that each action reads; plan accepts those of the run that it plans.
_READ = {
  "run": _OF_RUN,
  "plan": _OF_RUN,
  "work": {"sample", "most_runs", "seconds", "mix_versions"},
  "collect": {"from_dlib", "mix_versions"},
  "plot": {"figure", "gin_file", "gin_bindings", "mix_versions", "results"},
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
  _define_flags_of_runs(values, executors)
  _define_flags_of_slurm_and_ray(values)
  _define_flags_of_results(values)
  return values


def _define_flags_of_runs(values: flags.FlagValues, executors: Iterable[str]) -> None:
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
    "cores",
    None,
    "run: threads per run; by default 1 under Slurm and Ray, and an equal share of the "
    "machine's cores under local.",
    flag_values=values,
    lower_bound=1,
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


def _define_flags_of_slurm_and_ray(values: flags.FlagValues) -> None:
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


def _define_flags_of_results(values: flags.FlagValues) -> None:
  flags.DEFINE_multi_string(
    "results",
    None,
    "run, plot: a results.parquet, or its folder, with runs of this study from another "
    "machine; may be repeated. run counts them as done; plot draws them without run "
    "folders and needs --gin_file.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "from_dlib",
    None,
    "collect: a folder with result files of disentanglement_lib.",
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

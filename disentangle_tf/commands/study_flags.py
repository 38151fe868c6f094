"""Flags and executors of bin/study.py."""

import os
import pathlib
import sys

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import next_command
from disentangle_tf.errors import UserError

_BY_ALL = {"help", "traceback", "output_dir"}
_OF_RUN = {
  *("gin_file", "gin_bindings", "overwrite", "dry_run", "sample", "mix_versions"),
  *("executor", "slots", "workers", "minutes", "memory_gib", "partition", "cores"),
  *("gpus", "ray_address"),
}
# Which flags a word reads; plan takes those of the run that it speaks of.
_READ = {
  "run": _OF_RUN,
  "plan": _OF_RUN,
  "work": {"sample", "most_runs", "seconds", "mix_versions"},
  "collect": {"from_dlib", "mix_versions"},
  "plot": {"figure", "gin_file", "gin_bindings", "mix_versions"},
  "report": {"score"},
}


def check_flags(values, action):
  """Raises a `UserError` for a flag that was given and that the word does not read.

  Args:
    values: the flags, as `study_flags` defines them.
    action: the word, such as "status".
  """
  read = _BY_ALL | _READ.get(action, set())
  for name in values:
    if values[name].present and values[name].name not in read:
      words = [word for word, names in _READ.items() if values[name].name in names]
      raise UserError(
        f"{action} does not read --{values[name].name}, so it would change nothing "
        f"(but {', '.join(words)} {'do' if len(words) > 1 else 'does'}): leave it out"
      )


def study_flags(executors):
  """New flags, with those of bin/study.py.

  Args:
    executors: names that --executor may have.
  """
  values = command_line.gin_flags()
  values.set_gnu_getopt()  # flags may follow the words
  flags.DEFINE_bool("dry_run", False, "The same as the word plan.", flag_values=values)
  flags.DEFINE_bool(
    "sample",
    False,
    "run, work: only the first run of each method and data set, then what all take.",
    flag_values=values,
  )
  flags.DEFINE_enum(
    "executor",
    "local",
    list(executors),
    "run: where: on this machine, by Slurm, by Ray, by whoever says work.",
    flag_values=values,
  )
  flags.DEFINE_integer(
    "slots",
    None,
    "run, local: runs at a time; by default one per GPU, or else one per core.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_integer(
    "workers", 8, "run, slurm: jobs of the array.", flag_values=values, lower_bound=1
  )
  flags.DEFINE_integer(
    "minutes",
    240,
    "run, slurm: of a job; Slurm warns it up to two and a half before the end.",
    flag_values=values,
    lower_bound=5,
  )
  flags.DEFINE_integer(
    "memory_gib", 8, "run, slurm: of a job.", flag_values=values, lower_bound=1
  )
  flags.DEFINE_string("partition", None, "run, slurm: its name.", flag_values=values)
  flags.DEFINE_integer(
    "cores",
    None,
    "run: threads per run; by default 1, but local slots share the machine's.",
    flag_values=values,
    lower_bound=1,
  )
  flags.DEFINE_float(
    "gpus", 0.0, "run, slurm and ray: per run; Ray takes shares.", flag_values=values
  )
  flags.DEFINE_string(
    "ray_address", None, "run, ray: of a cluster; none starts one.", flag_values=values
  )
  flags.DEFINE_string(
    "from_dlib",
    None,
    "collect: a folder with result files of disentanglement_lib.",
    flag_values=values,
  )
  flags.DEFINE_integer(
    "most_runs", None, "work: how many to take.", flag_values=values, lower_bound=1
  )
  flags.DEFINE_float(
    "seconds", None, "work: take no run that may end later.", flag_values=values
  )
  flags.DEFINE_bool(
    "mix_versions",
    False,
    "Compare scores of several versions of packages, and keep runs that an earlier "
    "version of this one began; the study records it.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "figure",
    None,
    "plot: a paper's figure by name, such as locatello_figure_6 (docs/studies.md).",
    flag_values=values,
  )
  flags.DEFINE_string(
    "score", None, "report: by which models are best or worst.", flag_values=values
  )
  return values


RUNS_PER_PROCESS = 10  # each leaves 40 MiB behind, see docs/results.md


def _local(values, study_folder, plans):
  from disentangle_tf.studies.executors.local import LocalExecutor, local_slots

  slots = local_slots(
    values.slots or default_slots(), cores=values.cores, gpus=_count_gpus()
  )
  command = [*_worker_command(study_folder), *["--sample"] * values.sample]
  stopped = LocalExecutor(slots, command, study_folder, plans).run()
  if stopped is not None:
    raise KeyboardInterrupt


def _slurm(values, study_folder, plans):
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
  print(f"submitted array {array}; what comes next:")
  for word in ("status", "plot"):
    print(next_command("study", word, "--output_dir", study_folder.path))


def _none(values, study_folder, plans):
  print(f"{len(plans):,} runs are planned; what does them, on any number of machines:")
  print(next_command("study", "work", "--output_dir", study_folder.path))


def _ray(values, study_folder, plans):
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


EXECUTORS = {"local": _local, "slurm": _slurm, "ray": _ray, "none": _none}


def _worker_command(study_folder):
  return [
    *(sys.executable, "-m", "disentangle_tf.commands.study", "work"),
    *("--output_dir", str(study_folder.path.resolve())),
    *("--most_runs", str(RUNS_PER_PROCESS)),
  ]


def default_slots():
  """Runs at a time: one per GPU, or else one per core."""
  return _count_gpus() or os.cpu_count() or 1


def _count_gpus():
  """GPUs that this process may see, without loading TensorFlow to ask."""
  visible = os.environ.get("CUDA_VISIBLE_DEVICES")
  if visible is not None:
    return len([number for number in visible.split(",") if number.strip()])
  return len(list(pathlib.Path("/proc/driver/nvidia/gpus").glob("*")))

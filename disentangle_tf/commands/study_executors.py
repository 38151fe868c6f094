"""Who does the runs of a study: this machine, Slurm, Ray, or whoever says work."""

import os
import pathlib
import sys

from disentangle_tf.commands.next_command import next_command

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
  from disentangle_tf.commands.work_on_run import work_on_run
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

"""Executors of bin/study.py: where the runs of a study are trained."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from absl import flags

from disentangle_tf.commands.command_line import next_command

if TYPE_CHECKING:
  from disentangle_tf.studies.folders import StudyFolder
  from disentangle_tf.studies.plan import Plan


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

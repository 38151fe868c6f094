"""Workers of a study on a Slurm cluster, as one array of jobs, through submitit."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Iterable, Sequence

from disentangle_tf.errors import UserError
from disentangle_tf.studies.executors.local import LocalExecutor, Slot
from disentangle_tf.studies.folders import StudyFolder

MOST_WORKERS = 1_000  # Slurm's default MaxArraySize is 1001
_MARGIN = 120  # seconds of a job's time in which no worker starts a run
_MOST_TIMEOUTS = 100  # after which a job is no longer requeued
_SIGNAL_DELAY = 90  # seconds before the end at which Slurm signals the job


@dataclasses.dataclass
class SlurmWorker:
  """One job of the array, which keeps one worker running and is requeued.

  submitit calls it in the job. It calls `checkpoint` when Slurm preempts the job or its
  time is nearly over, and requeues what that returns.

  Args:
    output_dir: the study's folder, which all nodes see.
    command: words that start a worker.
    cores: of the job.
  """

  output_dir: str
  command: list[str]
  cores: int

  def __call__(self) -> None:
    study = StudyFolder(pathlib.Path(self.output_dir))
    slot = _InheritedGpu(self.cores)
    self._executor = LocalExecutor(
      [slot], self.command, study, study.read_plans(), signals=()
    )
    self._executor.run()

  def checkpoint(self) -> object:
    """Have the worker write a checkpoint; returns the job to submit again."""
    from submitit.helpers import (  # pyright: ignore[reportMissingImports]
      DelayedSubmission,
    )

    self._executor.stop()
    self._executor.wait()
    return DelayedSubmission(SlurmWorker(self.output_dir, self.command, self.cores))


class _InheritedGpu(Slot):
  """A slot that sees the GPUs that Slurm gave to the job."""

  def environment(self) -> dict[str, str]:
    variables = super().environment()
    del variables["CUDA_VISIBLE_DEVICES"]
    return variables


def submit_to_slurm(
  output_dir: str | os.PathLike[str],
  command: Sequence[str],
  *,
  workers: int,
  cores: int,
  gpus: int,
  minutes: int,
  memory_gib: float,
  partition: str | None,
  setup: Iterable[str] = (),
) -> str:
  """Submit one array of workers; progress follows from the files of the study.

  Args:
    output_dir: the study's folder; logs go to its folder slurm/.
    command: words that start a worker; its --seconds is set from `minutes`.
    workers: number of jobs of the array, at most 1,000.
    cores, gpus, memory_gib: of each job.
    minutes: time limit of each job, and of each requeued job.
    partition: Slurm partition; None for the cluster's default.
    setup: shell lines before a job, such as "module load cuda".

  Returns:
    The id of the array.
  """
  try:
    import submitit  # pyright: ignore[reportMissingImports]
  except ImportError as error:
    raise UserError(
      'running a study on Slurm needs submitit: pip install "disentangle_tf[slurm]"'
    ) from error
  if not 1 <= workers <= MOST_WORKERS:
    raise UserError(f"workers is {workers}: it must be from 1 to {MOST_WORKERS}")
  logs = pathlib.Path(output_dir).resolve() / "slurm"
  executor = submitit.AutoExecutor(
    folder=str(logs), cluster="slurm", slurm_max_num_timeout=_MOST_TIMEOUTS
  )
  executor.update_parameters(
    name="disentangle_tf",
    timeout_min=minutes,
    cpus_per_task=cores,
    mem_gb=memory_gib,
    gpus_per_node=gpus or None,
    slurm_partition=partition,
    slurm_setup=list(setup) or None,
    slurm_signal_delay_s=_SIGNAL_DELAY,
    slurm_array_parallelism=workers,
  )
  seconds = max(60 * minutes - _SIGNAL_DELAY - _MARGIN, 1)
  words = [*command, "--seconds", str(seconds)]
  worker = SlurmWorker(str(pathlib.Path(output_dir).resolve()), words, cores)
  with executor.batch():
    jobs = [executor.submit(worker) for _ in range(workers)]
  return jobs[0].job_id.partition("_")[0]

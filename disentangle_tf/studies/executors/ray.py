"""Runs of a study as tasks of Ray, on this machine or on a cluster."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable

from disentangle_tf.errors import UserError

_OBJECT_STORE = 100 * 2**20  # bytes: tasks take paths and return nothing
_ATTEMPTS = 3


def run_on_ray(
  output_dir: str | os.PathLike[str],
  runs: Iterable[str],
  perform: Callable[[str, str], None],
  *,
  address: str | None = None,
  cores: float = 1,
  gpus: float = 0.0,
) -> dict[str, str]:
  """Execute every run in a task of its own.

  Args:
    output_dir: the study's folder, which all nodes see.
    runs: names of the runs that are not done.
    perform: function of the folder and the name of a run, importable on every node; it
      skips runs that another worker has.
    address: of a cluster, such as "auto" or "ray://host:10001"; None starts Ray on this
      machine.
    cores, gpus: of each task; shares of a GPU are allowed.

  Returns:
    {run: error as text} of tasks that failed in all attempts.
  """
  try:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = importlib.import_module("ray")
  except ImportError as error:
    raise UserError(
      'running a study on Ray needs it installed: pip install "disentangle_tf[ray]"'
    ) from error
  options = {"address": address or "local"}
  if not address:
    options |= {"object_store_memory": _OBJECT_STORE, "include_dashboard": False}
  try:
    ray.init(log_to_driver=False, **options)
  except ConnectionError as error:
    raise UserError(
      f"Ray at address {address}: {error}; if the cluster requires a token, set "
      "RAY_AUTH_MODE=token here, too"
    ) from error
  try:
    environment = {"TF_NUM_INTRAOP_THREADS": str(max(int(cores), 1))}
    environment |= {"TF_FORCE_GPU_ALLOW_GROWTH": "true"}
    if not gpus:
      environment["CUDA_VISIBLE_DEVICES"] = ""
    task = ray.remote(perform).options(
      num_cpus=cores,
      num_gpus=gpus,
      max_retries=_ATTEMPTS,
      runtime_env={"env_vars": environment},
    )
    waiting = {task.remote(str(output_dir), run): run for run in runs}
    lost = {}
    while waiting:
      (ended,), _ = ray.wait(list(waiting), num_returns=1)
      run = waiting.pop(ended)
      try:
        ray.get(ended)
      except Exception as error:  # of the run, or of Ray
        lost[run] = str(error)
    return lost
  finally:
    ray.shutdown()

"""Real processes on this machine that train together, for tests of several workers."""

import json
import os
import pathlib
import socket
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
STRATEGY = "training.Computing.strategy=@tf.distribute.MultiWorkerMirroredStrategy()"


def start_workers(arguments, count=2):
  """[process] of `python ARGUMENTS`, each with its own TF_CONFIG on loopback."""
  addresses = [_free_address() for _ in range(count)]
  return [
    subprocess.Popen(
      [sys.executable, *map(str, arguments)],
      env={
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TF_CONFIG": json.dumps(
          {
            "cluster": {"worker": addresses},
            "task": {"type": "worker", "index": index},
          }
        ),
      },
      stdout=subprocess.PIPE,
      stderr=subprocess.PIPE,
      text=True,
    )
    for index in range(count)
  ]


def start_training(output_dir, *bindings, resume=False):
  """[process] of bin/train.py on a small configuration."""
  flags = [f"--gin_bindings={binding}" for binding in (*bindings, STRATEGY)]
  return start_workers(
    [
      ROOT / "bin" / "train.py",
      "--gin_file=gin/runs/demo_mse.gin",
      *flags,
      f"--output_dir={output_dir}",
      *(["--resume"] if resume else []),
    ]
  )


def end_of(workers, seconds=240):
  """[(exit code, output, errors)]; a worker that hangs is killed and fails the test."""
  try:
    texts = [worker.communicate(timeout=seconds) for worker in workers]
  finally:
    for worker in workers:
      worker.kill()
  return [
    (worker.returncode, *text) for worker, text in zip(workers, texts, strict=True)
  ]


def _free_address():
  with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    return f"127.0.0.1:{probe.getsockname()[1]}"

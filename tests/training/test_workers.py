import json
import os
import pathlib
import socket
import subprocess
import sys

import gin
from shared_checks import assert_same_run

from disentangle_tf import training
from disentangle_tf.commands.gin_configuration import read_configuration

ROOT = pathlib.Path(__file__).parents[2]
FILES = ["gin/runs/demo_mse.gin"]
BINDINGS = ["STEPS=5", "UNITS=(8,)", "training.train.jit_compile=False"]


def _free_address():
  with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    return f"127.0.0.1:{probe.getsockname()[1]}"


def _start_worker(index, addresses, output_dir):
  config = {
    "cluster": {"worker": addresses},
    "task": {"type": "worker", "index": index},
  }
  strategy = "training.train.strategy=@tf.distribute.MultiWorkerMirroredStrategy()"
  bindings = [f"--gin_bindings={binding}" for binding in (*BINDINGS, strategy)]
  return subprocess.Popen(
    [
      sys.executable, ROOT / "bin" / "train.py", "--gin_file", FILES[0], *bindings,
      "--output_dir", output_dir,
    ],
    env={**os.environ, "TF_CONFIG": json.dumps(config)},
    stderr=subprocess.PIPE,
    text=True,
  )  # fmt: skip


def test_two_workers_train_as_two_replicas_do(tmp_path, two_replicas):
  addresses = [_free_address(), _free_address()]
  workers = [_start_worker(i, addresses, tmp_path / "two") for i in range(2)]
  for worker in workers:
    _, errors = worker.communicate(timeout=120)
    assert worker.returncode == 0, errors
  assert (tmp_path / "two" / "export" / "manifest.json").exists()
  assert len(list((tmp_path / "two" / "tensorboard").iterdir())) == 1

  read_configuration(FILES, BINDINGS)
  train = gin.get_configurable(training.train)
  train(output_dir=tmp_path / "one", strategy=two_replicas)
  assert_same_run(tmp_path / "two", tmp_path / "one", atol=1e-5)

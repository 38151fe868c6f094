"""Devices, number formats, and several processes that train together."""

import json
import os
import pathlib
import socket
import subprocess
import sys

import gin
import keras
import pytest
import tensorflow as tf
from shared_checks import assert_same_run
from tensorflow.python.framework import config as tensorflow_config

from disentangle_tf import training
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.training import devices

ROOT = pathlib.Path(__file__).parents[2]
FILES = ["gin/runs/demo_mse.gin"]
BINDINGS = ["STEPS=5", "UNITS=(8,)", "training.Computing.jit_compile=False"]


def test_without_gpus_the_default_is_the_cpu():
  if devices.on_gpu():
    pytest.skip("this machine has GPUs")
  assert devices.default_strategy().num_replicas_in_sync == 1
  with devices.default_strategy().scope():
    assert "CPU" in tf.Variable(1.0).device


def test_the_number_format_ends_with_the_block():
  before = keras.config.dtype_policy().name
  with (
    pytest.raises(RuntimeError, match="meanwhile"),
    devices.number_format("mixed_bfloat16", deterministic=False),
  ):
    assert keras.config.dtype_policy().name == "mixed_bfloat16"
    assert keras.layers.Dense(1).compute_dtype == "bfloat16"
    raise RuntimeError("meanwhile")
  assert keras.config.dtype_policy().name == before


class _Worker:
  """Stands for a strategy of several workers."""

  def __init__(self, task_type, task_id):
    self.cluster_resolver = self
    self.task_type, self.task_id = task_type, task_id


def test_of_several_workers_the_first_is_the_chief(two_replicas):
  assert devices.is_chief(two_replicas)
  assert devices.is_chief(tf.distribute.get_strategy())
  assert devices.is_chief(_Worker("worker", 0))
  assert not devices.is_chief(_Worker("worker", 1))


def _free_address():
  with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    return f"127.0.0.1:{probe.getsockname()[1]}"


def _start_worker(index, addresses, output_dir):
  config = {
    "cluster": {"worker": addresses},
    "task": {"type": "worker", "index": index},
  }
  strategy = "training.Computing.strategy=@tf.distribute.MultiWorkerMirroredStrategy()"
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
  computing = training.Computing(strategy=two_replicas, jit_compile=False)
  train(output_dir=tmp_path / "one", computing=computing)
  assert_same_run(tmp_path / "two", tmp_path / "one", atol=1e-5)


def test_determinism_ends_with_the_run_that_asked_for_it():
  with devices.number_format("float32", deterministic=True):
    with devices.number_format("float32", deterministic=True):
      assert tensorflow_config.is_op_determinism_enabled()
    assert tensorflow_config.is_op_determinism_enabled()  # somebody else's still
  assert not tensorflow_config.is_op_determinism_enabled()
  with devices.number_format("float32", deterministic=False):
    assert not tensorflow_config.is_op_determinism_enabled()

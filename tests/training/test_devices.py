"""Devices and number formats."""

import keras
import pytest
import tensorflow as tf

from disentangle_tf.training import devices
from disentangle_tf.training.tensorflow_internals import op_determinism_enabled


def test_without_gpus_the_default_is_the_cpu():
  if devices.on_gpu():
    pytest.skip("this machine has GPUs")
  assert devices.default_strategy().num_replicas_in_sync == 1
  with devices.default_strategy().scope():
    assert "CPU" in tf.Variable(1.0).device


def test_one_gpu_of_several_trains(caplog):
  caplog.set_level("INFO", "disentangle_tf")
  """Logical CPU devices are as good as GPUs to choose from."""
  both = tf.config.list_logical_devices("CPU")
  assert len(both) == 2
  for gpus in (both, both[:1], both[1:]):
    strategy = devices.default_strategy(gpus)
    assert strategy.num_replicas_in_sync == 1
    with strategy.scope():
      assert tf.Variable(1.0).device.endswith(gpus[0].name.removeprefix("/device:"))
  devices.report_idle_gpus(both[:1])
  devices.report_idle_gpus([])
  assert caplog.messages == []
  devices.report_idle_gpus(both)
  (line,) = caplog.messages
  assert line.startswith("training on one of 2 GPUs, the others are idle")
  assert "training.Computing.strategy to tf.distribute.MirroredStrategy()" in line


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


def test_determinism_ends_with_the_run_that_asked_for_it():
  with devices.number_format("float32", deterministic=True):
    with devices.number_format("float32", deterministic=True):
      assert op_determinism_enabled()
    assert op_determinism_enabled()  # somebody else's still
  assert not op_determinism_enabled()
  with devices.number_format("float32", deterministic=False):
    assert not op_determinism_enabled()

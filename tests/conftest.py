"""Two CPU devices for the tests of replicas, and things that are dear to make."""

import gc
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import pytest

from disentangle_tf.commands.command_line import start_tensorflow
from disentangle_tf.half_precision import HALF_PRECISIONS, cap_instructions

# TensorFlow is imported by what needs it: the process that only hands out tests to
# workers starts them seconds earlier without it.

if "PYTEST_XDIST_WORKER" not in os.environ:  # workers inherit the environment
  cap_instructions(HALF_PRECISIONS)
  cap_instructions(["mixed_bfloat16"])  # if no cap serves both


def pytest_addoption(parser):
  parser.addoption(
    "--fuzz", type=int, default=30, help="damaged files per format in tests/fuzz"
  )


def pytest_configure(config):
  if config.getoption("dist", "no") != "no":
    return
  start_tensorflow()  # or pytest keeps its remarks and shows them at the very end
  import tensorflow as tf

  cpus = tf.config.list_physical_devices("CPU")
  tf.config.set_logical_device_configuration(
    cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2
  )


def pytest_collection_finish():
  # The libraries and thousands of tests stay until the end. Without this, each full
  # garbage collection looks through them again, for 0.5 s of computing time.
  gc.collect()
  gc.freeze()


def pytest_unconfigure():
  # To collect all that TensorFlow leaves may take a worker longer than the five seconds
  # that pytest-xdist waits before it interrupts it, which would be said at the end.
  gc.freeze()


@pytest.fixture(scope="session")
def golden_folder():
  """What others made and the tests compare with; its README says where it is from."""
  return pathlib.Path(__file__).parent / "golden"


@pytest.fixture(scope="session")
def two_replicas():
  """One for all tests: a second one in a process would reuse the first one's keys."""
  import tensorflow as tf

  return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
  """(folder, model) of one export, to read and not to change."""
  from shared_checks import tiny_data, tiny_model

  from disentangle_tf import export

  model = tiny_model()
  folder = tmp_path_factory.mktemp("exported") / "export"
  export.write_export(
    model, folder, data=tiny_data(), config_text="x = 1", seed=3, step=7
  )
  return folder, model

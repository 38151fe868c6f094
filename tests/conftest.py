"""Two CPU devices for the tests of replicas, and things that are dear to make."""

import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_model

from disentangle_tf import export

_SHARED = pathlib.Path(__file__).parents[2] / "shared"


def pytest_configure():
  cpus = tf.config.list_physical_devices("CPU")
  tf.config.set_logical_device_configuration(
    cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2
  )


@pytest.fixture(scope="session")
def shared_folder():
  """The reference material that is kept beside the project, if it is there."""
  if not _SHARED.is_dir():
    pytest.skip(f"no reference material in {_SHARED.name}/ beside the project")
  return _SHARED


@pytest.fixture(scope="session")
def two_replicas():
  """One for all tests: a second one in a process would reuse the first one's keys."""
  return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
  """(folder, model) of one export, to read and not to change."""
  model = tiny_model()
  folder = tmp_path_factory.mktemp("exported") / "export"
  export.write_export(
    model, folder, data=tiny_data(), config_text="x = 1", seed=3, step=7
  )
  return folder, model

"""A SavedModel that does no harm, for tests to damage."""

import shutil

import pytest
import tensorflow as tf
from saved_model_checks import write_codes


@pytest.fixture(scope="session")
def harmless(tmp_path_factory):
  return write_codes(tmp_path_factory.mktemp("harmless") / "model", tf.identity)


@pytest.fixture
def copy(harmless, tmp_path):
  return shutil.copytree(harmless, tmp_path / "model")

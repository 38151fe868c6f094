import os
import pathlib

import pytest
from misbehaving_models import (
  LIMITS,
  SHAPE,
  not_a_number,
)
from processes import children

from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.sandbox.warm_children import environment

pytestmark = pytest.mark.usefixtures("nothing_is_left_running")


def test_nothing_of_the_users_environment(tmp_path, monkeypatch):
  monkeypatch.setenv("SECRET", "token")
  before = children()
  with ForeignModel(not_a_number(tmp_path / "m.onnx")) as model:
    model.open(SHAPE, limits=LIMITS)
    (child,) = children() - before
    assert b"token" not in pathlib.Path(f"/proc/{child}/environ").read_bytes()
    links = pathlib.Path(f"/proc/{child}/fd").iterdir()
    assert not any("socket" in os.readlink(link) for link in links)


def test_only_where_libraries_are(monkeypatch):
  monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
  monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")
  monkeypatch.setenv("PYTHONSTARTUP", "/home/them/start.py")
  found = environment()
  assert found["LD_LIBRARY_PATH"] == "/opt/lib"
  assert found["ONEDNN_MAX_CPU_ISA"] == "AVX512_CORE_FP16"
  assert "PYTHONSTARTUP" not in found
  assert found["HOME"] == found["KERAS_HOME"] == os.devnull
  assert (pathlib.Path(found["PYTHONPATH"]) / "disentangle_tf/foreign").is_dir()
  monkeypatch.delenv("LD_LIBRARY_PATH")
  assert "LD_LIBRARY_PATH" not in environment()

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

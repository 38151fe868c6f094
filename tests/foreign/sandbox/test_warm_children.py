import os
import pathlib
import time

import numpy as np
import pytest
from foreign_models import Encoder, write_keras, write_module
from processes import descendants
from shared_checks import tiny_model

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.foreign.sandbox.warm_children import warm_children, warm_parent

SHAPE = (8, 8, 2)
IMAGES = np.random.default_rng(0).uniform(size=(5, *SHAPE)).astype(np.float32)
LIMITS = Limits(memory_gib=8, seconds=60, cpu_seconds=60)


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
  folder = tmp_path_factory.mktemp("models")
  encoder = Encoder(tiny_model())
  return [
    write_module(folder / "module", encoder),
    write_keras(folder / "model.keras", encoder),
  ]


def encode(path):
  with ForeignModel(path) as model:
    model.open(SHAPE, limits=LIMITS)
    return model.encode(IMAGES), model.sandbox


def status(number):
  lines = pathlib.Path(f"/proc/{number}/status").read_text().splitlines()
  return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def namespaces(number):
  folder = pathlib.Path(f"/proc/{number}/ns")
  return {name: os.readlink(folder / name) for name in ("user", "net", "ipc")}


def test_the_same_codes_and_the_same_walls(paths):
  before = descendants(os.getpid())
  fresh = [encode(path) for path in paths]
  with warm_children():
    warm = [encode(path) for path in paths]
    (parent,) = set(descendants(os.getpid())) - set(before)
    with ForeignModel(paths[0]) as model:
      model.open(SHAPE, limits=LIMITS)
      (child,) = descendants(parent)
      # As the kernel reports it, not the process itself.
      assert status(child)["Seccomp"] == "2" and status(parent)["Seccomp"] == "0"
      assert status(child)["NoNewPrivs"] == "1"
      mine = namespaces(parent)
      assert all(mine[name] != own for name, own in namespaces(child).items())
      files = pathlib.Path(f"/proc/{child}/fd").iterdir()
      links = [os.readlink(file) for file in files]
      assert not any("socket" in link for link in links)
      assert os.getpgid(child) == child
  assert warm_parent() is None
  assert set(descendants(os.getpid())) == set(before)
  for (codes, record), (others, other) in zip(fresh, warm, strict=True):
    assert record == other
    for part, twin in zip(codes, others, strict=True):
      np.testing.assert_allclose(part, twin, atol=1e-6)


def test_an_early_start_is_used_once_and_confines_as_well(paths):
  before = set(descendants(os.getpid()))
  codes, record = encode(paths[0])
  with warm_children(at_once=True):
    (parent,) = set(descendants(os.getpid())) - before
    with warm_children():  # as for a list of models
      early, early_record = encode(paths[0])
      assert parent in set(descendants(os.getpid())) - before
      assert not set(descendants(os.getpid())) - before - {parent}
  assert set(descendants(os.getpid())) == before
  assert early_record == record
  np.testing.assert_allclose(early[0], codes[0], atol=1e-6)


def test_a_child_that_dies_or_hangs_is_told_as_ever(paths):
  with warm_children():
    with ForeignModel(paths[0]) as model:
      model.open(SHAPE, limits=LIMITS)
      (parent,) = (n for n in descendants(os.getpid()) if descendants(n))
      (child,) = descendants(parent)
      os.kill(child, 11)
      with pytest.raises(ModelError, match="died .signal 11"):
        model.encode(IMAGES)
    with ForeignModel(paths[0]) as model, pytest.raises(ModelError, match="GiB|died"):
      model.open(SHAPE, limits=Limits(memory_gib=0.01))
    encode(paths[1])  # the next one is not affected


def test_nothing_is_left_when_the_parent_is_gone(paths):
  with warm_children(), ForeignModel(paths[0]) as model:
    model.open(SHAPE, limits=LIMITS)
    (parent,) = (n for n in descendants(os.getpid()) if descendants(n))
    (child,) = descendants(parent)
    os.kill(parent, 9)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and status_letter(child) not in "ZX":
      time.sleep(0.05)
    assert status_letter(child) in "ZX"
    with pytest.raises(ModelError):
      model.encode(IMAGES)


def status_letter(number):
  try:
    return status(number)["State"][0]
  except OSError:
    return "X"

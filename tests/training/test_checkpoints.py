import resource
import sys

import numpy as np
import pytest
from shared_checks import compiled, tiny_model, tiny_networks, weights

from disentangle_tf import losses, models
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import sha256_tree
from disentangle_tf.training.checkpoints import Checkpoints

DATA = "data-00000-of-00001"


def _fill(model, value):
  model.set_weights([np.full_like(array, value) for array in weights(model)])


def _checkpoints(folder, model=None, keep=3):
  return Checkpoints(model or compiled(tiny_model()), folder, keep=keep)


@pytest.fixture
def folder(tmp_path):
  """Checkpoints of steps 1, 2 and 3, in which every weight is the step."""
  model = compiled(tiny_model())
  checkpoints = _checkpoints(tmp_path / "checkpoints", model)
  for step in (1, 2, 3):
    _fill(model, step)
    checkpoints.save(step)
  return tmp_path / "checkpoints"


def _restored(folder, **options):
  """(step, the one value of all weights) after restoring."""
  model = compiled(tiny_model())
  step = _checkpoints(folder, model, **options).restore()
  (value,) = {float(x) for array in weights(model) for x in np.unique(array)}
  return step, value


def _truncate(path):
  path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _flip(path):
  content = bytearray(path.read_bytes())
  content[len(content) // 3] ^= 4
  path.write_bytes(content)


def _empty(path):
  path.write_bytes(b"")


def _remove(path):
  path.unlink()


def test_the_newest_one(folder, caplog):
  caplog.set_level("INFO", "disentangle_tf")
  assert _restored(folder) == (3, 3.0)
  assert "checkpoint of step 3" in caplog.text


@pytest.mark.parametrize("suffix", [DATA, "index"])
@pytest.mark.parametrize("damage", [_truncate, _flip, _empty, _remove])
def test_a_damaged_one_is_skipped_and_named(folder, suffix, damage, caplog):
  caplog.set_level("INFO", "disentangle_tf")
  damage(folder / f"ckpt-3.{suffix}")
  assert _restored(folder) == (2, 2.0)
  damaged, resumed = caplog.messages
  assert "ckpt-3 is damaged" in damaged and "step 2" in resumed


@pytest.mark.parametrize("damage", [_truncate, _flip, _empty, _remove])
def test_the_list_beside_them_is_not_believed(folder, damage):
  damage(folder / "checkpoint")
  assert _restored(folder) == (3, 3.0)
  (folder / "checkpoint").write_bytes(b"\xff\xfe nothing")
  model = compiled(tiny_model())
  checkpoints = _checkpoints(folder, model, keep=2)
  assert checkpoints.restore() == 3
  checkpoints.save(4)  # and it does not make old ones stay for ever
  assert sorted(path.name for path in folder.glob("*.index")) == [
    "ckpt-3.index",
    "ckpt-4.index",
  ]


def test_without_a_good_one_nothing_is_begun_and_nothing_deleted(folder):
  for path in folder.glob("*.index"):
    _flip(path)
  before = sha256_tree(folder)
  with pytest.raises(UserError, match="no checkpoint that can be read"):
    _checkpoints(folder).restore()
  assert sha256_tree(folder) == before
  for path in folder.glob("ckpt-*"):
    path.unlink()
  with pytest.raises(UserError, match="no checkpoint that can be read"):
    _checkpoints(folder).restore()


def test_going_on_from_an_older_one_keeps_the_damaged_one(folder):
  _truncate(folder / f"ckpt-3.{DATA}")
  damaged = (folder / f"ckpt-3.{DATA}").read_bytes()
  model = compiled(tiny_model())
  checkpoints = _checkpoints(folder, model)
  assert checkpoints.restore() == checkpoints.latest_step == 2
  _fill(model, 7)
  checkpoints.save(3)
  assert _restored(folder) == (3, 7.0)
  (kept,) = folder.glob(f"ckpt-3.{DATA}.*")
  assert kept.read_bytes() == damaged


def test_a_good_one_of_another_model(folder):
  other = compiled(models.BetaVAE(*tiny_networks(units=(5,)), losses.MSE(), beta=1.0))
  with pytest.raises(UserError, match="does not fit this model.*configuration"):
    _checkpoints(folder, other).restore()


def test_what_a_crash_left_behind(folder):
  (folder / "ckpt-9_temp").mkdir()
  (folder / "ckpt-9_temp" / "part-00000-of-00001.index").write_bytes(b"half")
  (folder / f"ckpt-9.{DATA}.tempstate123").write_bytes(b"half")
  checkpoints = _checkpoints(folder)
  assert checkpoints.restore() == 3
  checkpoints.save(4)
  assert not list(folder.glob("ckpt-9*"))


def test_one_that_cannot_be_written_leaves_nothing(folder, monkeypatch):
  monkeypatch.setattr(sys, "dont_write_bytecode", True)  # Python would cut those files
  before = sha256_tree(folder)
  checkpoints = _checkpoints(folder)
  checkpoints.restore()
  soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
  resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
  try:
    with pytest.raises(Exception, match="File too large"):
      checkpoints.save(4)
  finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
  after = sha256_tree(folder)
  assert set(after) == set(before) and checkpoints.latest_step == 3
  assert _restored(folder) == (3, 3.0)
  checkpoints.save(4)
  assert _restored(folder)[0] == 4

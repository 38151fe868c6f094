"""Preparing and checking data sets; the tests of `commands` check the output."""

import dataclasses
import json
import tarfile

import numpy as np
import official_formats
import pytest
from PIL import Image

from disentangle_tf import output_files
from disentangle_tf.data import KNOWN_SETS
from disentangle_tf.data.files import downloading, official_files, preparation
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.errors import UserError

ARCHIVE = "nips2015-analogy-data.tar.gz"


@pytest.fixture
def home(tmp_path, monkeypatch):
  """An empty data folder, for the tiny versions of the sets."""
  official_formats.use_empty_home(tmp_path / "home", monkeypatch)
  return tmp_path / "home"


def _refused(call, *arguments, **options):
  """Return the one-line message of the error."""
  with pytest.raises(UserError) as raised:
    call(*arguments, **options)
  assert "\n" not in str(raised.value)
  return str(raised.value)


def test_states_of_all_sets(home):
  official_formats.write(MPI3D, home / "mpi3d_toy")
  MPI3D()
  states = {each.name: each for each in preparation.set_states()}
  assert list(states) == list(KNOWN_SETS)
  ready = {name for name, each in states.items() if each.state == "ready"}
  rendered = {"xysquares", "xysquares_small", "pinwheel", "lattice", "spot"}
  sprites = ("dsprites", "color_dsprites", "noisy_dsprites")
  rendered |= {*sprites, *(f"{name}_small" for name in sprites)}
  assert ready == {*rendered, "mpi3d_toy"}
  assert all(states[name].place == "rendered, needs no file" for name in rendered)
  assert all(states[name].size == "0 MB" for name in rendered)
  toy = states["mpi3d_toy"]
  assert (toy.size, toy.place) == ("1 MB", str(home / "mpi3d_toy"))
  real = states["mpi3d_real"]
  assert (real.state, real.size) == ("not prepared", "unknown")
  assert states["celeb_a"].size == "through TFDS"
  assert states["shapes3d"].place == str(home / "shapes3d")
  own = states["table"]
  assert (own.state, own.place) == ("your own", "an npz file, see gin/data/table.gin")


def test_what_there_is_to_fetch():
  states = {each.name: each for each in preparation.set_states()}
  assert states["shapes3d"].size == "268 MB to fetch"  # as published


def test_the_state_of_the_painting(home):
  def state():
    return next(s for s in preparation.set_states() if s.name == "scream_dsprites")

  assert (state().state, state().size) == ("not prepared", "an image to add")
  assert state().place == str(home / "the_scream.jpg")
  home.mkdir()
  (home / "the_scream.jpg").write_bytes(bytes(2_000_000))
  assert (state().state, state().size) == ("ready", "2 MB")


@pytest.mark.parametrize(
  ("cached", "name"),
  [(Shapes3D, "shapes3d"), (SmallNORB, "smallnorb"), (MPI3D, "mpi3d_toy")],
)
def test_prepare_from_a_folder_then_check(cached, name, home, tmp_path):
  images = official_formats.write(cached, tmp_path / "fetched")
  data = preparation.prepare(name, source=tmp_path / "fetched")
  assert isinstance(data, cached)
  np.testing.assert_array_equal(cached().images, images)
  record = json.loads((home / name / "sha256.json").read_text())
  files = list((tmp_path / "fetched").iterdir())
  assert record == {path.name: output_files.sha256_file(path) for path in files}
  again = preparation.prepare(name)  # ready: downloads nothing
  np.testing.assert_array_equal(again.images, images)

  checked, hashes = preparation.check(name)
  np.testing.assert_array_equal(checked.images, images)
  cache = preparation.set_folder(name) / "images.npy"
  assert hashes == {"images.npy": output_files.sha256_file(cache)}
  record = json.loads((home / name / "sha256.json").read_text())
  assert len(record) == len(files) + 1 and record["images.npy"] == hashes["images.npy"]


@pytest.mark.parametrize("packed", [True, False])
def test_prepare_cars(packed, home, tmp_path):
  images = official_formats.write(Cars3D, tmp_path / "fetched")
  if packed:
    with tarfile.open(tmp_path / "fetched" / ARCHIVE, "w:gz") as archive:
      archive.add(tmp_path / "fetched" / "cars", "data/cars")
    (tmp_path / "fetched" / "cars").rename(tmp_path / "elsewhere")
  preparation.prepare("cars3d", source=tmp_path / "fetched")
  np.testing.assert_array_equal(Cars3D().images, images)
  assert (home / "cars3d" / "cars" / "car_003_mesh.mat").exists() == packed
  assert not (home / "cars3d" / "cars" / "list.txt").exists()


def test_prepare_downloads_what_is_lacking(home, monkeypatch):
  fetched = []

  def download(file, folder):
    fetched.append(file.name)
    official_formats.write(MPI3D, folder, version="real")
    return downloading.check_file(file, folder / file.name)

  monkeypatch.setattr(preparation, "download", download)
  preparation.prepare("mpi3d_real")
  assert fetched == ["mpi3d_real.npz"]
  assert MPI3D(version="real").images.shape == (48, 64, 64, 3)
  official_formats.write(SmallNORB, home / "smallnorb", packed=False)
  preparation.prepare("smallnorb")  # unpacked files are accepted
  assert fetched == ["mpi3d_real.npz"]


@pytest.mark.parametrize("name", ["celeb_a", "fashion_mnist"])
def test_sets_of_tensorflow_datasets_are_prepared_through_it(name, home, monkeypatch):
  official_formats.use_tiny_tfds(monkeypatch)
  data = preparation.prepare(name)
  assert len(data) == official_formats.NUM_TFDS_IMAGES
  assert (home / name / "images.npy").exists()
  assert list(preparation.check(name)[1]) == ["images.npy"]


@pytest.mark.parametrize("name", ["xysquares_small", "pinwheel", "noisy_dsprites"])
def test_rendered_sets_need_no_preparation(name, home):
  assert preparation.prepare(name) is None
  data, hashes = preparation.check(name)
  assert type(data) is KNOWN_SETS[name].data_class and hashes == {}
  assert not home.exists()


def test_the_painting_is_what_scream_dsprites_needs(home):
  for call in (preparation.prepare, preparation.check):
    assert "the_scream.jpg: put one there" in _refused(call, "scream_dsprites")
  home.mkdir()
  Image.new("RGB", (90, 80)).save(home / "the_scream.jpg")
  assert preparation.prepare("scream_dsprites") is None
  assert preparation.check("scream_dsprites")[0].painting is None


def test_a_table_is_the_users_own(home):
  for call in (preparation.prepare, preparation.check):
    assert "npz file of your own" in _refused(call, "table")


@pytest.mark.parametrize(
  ("name", "source", "message"),
  [
    ("car3d", None, "did you mean 'cars3d'"),
    ("cars3d", "nowhere", "nowhere is no folder"),
    ("cars3d", ".", "no cars/*.mat"),
    ("cars3d", "tfds", "not in TensorFlow Datasets"),
    ("shapes3d", ".", "no 3dshapes.h5"),
  ],
)
def test_what_cannot_be_prepared(name, source, message, home, tmp_path, monkeypatch):
  monkeypatch.chdir(tmp_path)
  assert message in _refused(preparation.prepare, name, source=source)
  assert not home.exists()


def test_a_set_that_is_not_prepared_cannot_be_checked(home):
  message = _refused(preparation.check, "smallnorb")
  assert "prepare_data.py prepare smallnorb" in message
  assert not home.exists()


def test_a_wrong_hash_is_refused(home, tmp_path, monkeypatch):
  official_formats.write(Shapes3D, tmp_path / "fetched")
  files = tuple(
    dataclasses.replace(file, sha256="0" * 64) for file in official_files.OFFICIAL_FILES
  )
  monkeypatch.setattr(official_files, "OFFICIAL_FILES", files)
  message = _refused(preparation.prepare, "shapes3d", source=tmp_path / "fetched")
  assert "3dshapes.h5 is not the official file: its sha256 is" in message
  assert not home.exists()


def test_check_notices_a_changed_cache(home):
  official_formats.write(MPI3D, home / "mpi3d_toy")
  preparation.check("mpi3d_toy")
  cache = home / "mpi3d_toy" / "images.npy"
  content = bytearray(cache.read_bytes())
  content[-1] ^= 1
  cache.write_bytes(content)
  message = _refused(preparation.check, "mpi3d_toy")
  assert "images.npy has changed" in message
  assert message.endswith("run python bin/prepare_data.py prepare mpi3d_toy")

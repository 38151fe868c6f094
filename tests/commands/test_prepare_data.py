"""bin/prepare_data.py as a user runs it."""

import dataclasses
import io
import json
import sys
import tarfile

import matplotlib.image
import numpy as np
import official_formats
import pytest

from disentangle_tf import output_files
from disentangle_tf.commands import prepare_data
from disentangle_tf.data import XYSquares
from disentangle_tf.data.files import downloading, official_files, preparation
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.pictures import factor_traversals
from disentangle_tf.plots import image_grid

ARCHIVE = "nips2015-analogy-data.tar.gz"


@pytest.fixture
def home(tmp_path, monkeypatch):
  """An empty data folder, for the tiny versions of the sets."""
  official_formats.shrink(monkeypatch)
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path / "home"))
  unhashed = tuple(
    dataclasses.replace(file, size=None, sha256=None)
    for file in official_files.OFFICIAL_FILES
  )
  monkeypatch.setattr(official_files, "OFFICIAL_FILES", unhashed)
  return tmp_path / "home"


def _call(*arguments):
  """Exit code of the command, called in this process."""
  with pytest.MonkeyPatch.context() as patch:
    patch.setattr(sys, "argv", ["prepare_data", *map(str, arguments)])
    try:
      prepare_data.main()
    except SystemExit as exit_:
      return exit_.code
  return 0


def _fails(capfd, *arguments):
  """The one line of a mistake."""
  assert _call(*arguments) == 2
  lines = capfd.readouterr().err.strip().splitlines()
  assert len(lines) == 1 and lines[0].startswith("prepare_data: error: ")
  return lines[0]


def _write_archive(path, cars, *, extra=None):
  with tarfile.open(path, "w:gz") as archive:
    archive.add(cars, "data/cars")
    if extra:
      member = tarfile.TarInfo(extra)
      archive.addfile(member, io.BytesIO())


def test_list_says_what_is_ready(home, capsys):
  official_formats.write(MPI3D, home / "mpi3d_toy")
  MPI3D()
  assert _call("list") == 0
  lines = capsys.readouterr().out.splitlines()
  names = ["dsprites", "xysquares", "shapes3d", "cars3d", "smallnorb", "mpi3d_toy"]
  assert [line.split()[0] for line in lines[1:7]] == names
  state = {line.split()[0]: line for line in lines[1:]}
  assert "ready" in state["dsprites"] and "ready" in state["mpi3d_toy"]
  assert "not prepared" in state["mpi3d_real"] and "1 MB" in state["mpi3d_toy"]
  assert str(home / "shapes3d") in state["shapes3d"]


@pytest.mark.parametrize(
  ("cached", "name"),
  [(Shapes3D, "shapes3d"), (SmallNORB, "smallnorb"), (MPI3D, "mpi3d_toy")],
)
def test_prepare_from_a_folder_then_check(cached, name, home, tmp_path, capsys):
  images = official_formats.write(cached, tmp_path / "fetched")
  assert _call("prepare", name, "--from", tmp_path / "fetched") == 0
  assert f"{name} is ready: {len(images)} images" in capsys.readouterr().out
  np.testing.assert_array_equal(cached().images, images)
  record = json.loads((home / name / "sha256.json").read_text())
  files = list((tmp_path / "fetched").iterdir())
  assert record == {path.name: output_files.sha256_file(path) for path in files}

  sheet = tmp_path / "new" / "sheet.png"
  assert _call("check", name, "--output", sheet) == 0
  before = sheet.read_bytes()
  assert _call("check", name, "--output", sheet) == 2  # it may be somebody's
  assert sheet.read_bytes() == before
  output = capsys.readouterr().out
  assert (
    f"{len(images)} images of 64 x 64" in output and cached.factor_names[0] in output
  )
  sheet = matplotlib.image.imread(tmp_path / "new" / "sheet.png")
  factors = len(cached.factor_names)
  assert sheet.shape[:2] == (factors * 65 + 1, 10 * 65 + 1)
  assert _call("prepare", name) == 0  # it is ready: nothing is fetched


@pytest.mark.parametrize("packed", [True, False])
def test_prepare_cars(packed, home, tmp_path):
  images = official_formats.write(Cars3D, tmp_path / "fetched")
  if packed:
    _write_archive(tmp_path / "fetched" / ARCHIVE, tmp_path / "fetched" / "cars")
    (tmp_path / "fetched" / "cars").rename(tmp_path / "elsewhere")
  assert _call("prepare", "cars3d", "--from", tmp_path / "fetched") == 0
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
  assert _call("prepare", "mpi3d_real") == 0
  assert fetched == ["mpi3d_real.npz"]
  assert MPI3D(version="real").images.shape == (48, 64, 64, 3)
  official_formats.write(SmallNORB, home / "smallnorb", packed=False)
  assert _call("prepare", "smallnorb") == 0  # unpacked files will do
  assert fetched == ["mpi3d_real.npz"]


def test_rendered_sets_need_no_preparation(home, capsys):
  assert _call("prepare", "xysquares") == 0
  assert "nothing to prepare" in capsys.readouterr().out
  assert _call("check", "xysquares") == 0
  sheet = matplotlib.image.imread(home / "xysquares" / "traversals.png")[..., :3]
  expected = image_grid(factor_traversals(XYSquares()))
  np.testing.assert_allclose(sheet, expected, atol=1 / 254)


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    ((), "list, prepare NAME or check NAME"),
    (("chek", "cars3d"), "did you mean 'check'"),
    (("list", "cars3d"), "list takes no name"),
    (("prepare",), "prepare takes 1 name, got 0"),
    (("check", "cars3d", "dsprites"), "check takes 1 name, got 2"),
    (("prepare", "car3d"), "did you mean 'cars3d'"),
    (("prepare", "cars3d", "--form", "x"), "Did you mean: from"),
    (("prepare", "cars3d", "--from", "nowhere"), "nowhere is no folder"),
    (("prepare", "cars3d", "--from", "."), "no cars/*.mat"),
    (("prepare", "cars3d", "--from", "tfds"), "not in TensorFlow Datasets"),
    (("prepare", "shapes3d", "--from", "."), "no 3dshapes.h5"),
    (("check", "smallnorb"), "prepare_data.py prepare smallnorb"),
  ],
)
def test_mistakes_cost_one_line(arguments, message, home, tmp_path, monkeypatch, capfd):
  monkeypatch.chdir(tmp_path)
  assert message in _fails(capfd, *arguments)
  assert not home.exists()


def test_a_wrong_hash_is_refused(home, tmp_path, monkeypatch, capfd):
  official_formats.write(Shapes3D, tmp_path / "fetched")
  files = tuple(
    dataclasses.replace(file, sha256="0" * 64) for file in official_files.OFFICIAL_FILES
  )
  monkeypatch.setattr(official_files, "OFFICIAL_FILES", files)
  message = _fails(capfd, "prepare", "shapes3d", "--from", tmp_path / "fetched")
  assert "3dshapes.h5 is not the official file: its sha256 is" in message
  assert not home.exists()


def test_check_notices_a_changed_cache(home, capfd):
  official_formats.write(MPI3D, home / "mpi3d_toy")
  assert _call("check", "mpi3d_toy") == 0
  capfd.readouterr()
  cache = home / "mpi3d_toy" / "images.npy"
  content = bytearray(cache.read_bytes())
  content[-1] ^= 1
  cache.write_bytes(content)
  assert "images.npy has changed" in _fails(capfd, "check", "mpi3d_toy")


@pytest.mark.parametrize("member", ["../evil.mat", "/cars/evil.mat"])
def test_an_archive_that_leaves_its_folder_is_refused(member, home, tmp_path, capfd):
  official_formats.write(Cars3D, tmp_path / "made")
  (tmp_path / "fetched").mkdir()
  archive = tmp_path / "fetched" / ARCHIVE
  _write_archive(archive, tmp_path / "made" / "cars", extra=member)
  message = _fails(capfd, "prepare", "cars3d", "--from", tmp_path / "fetched")
  assert str(archive) in message
  assert not list(home.rglob("*.mat")) and not list(tmp_path.rglob("evil.mat"))


def test_a_truncated_archive_is_refused(home, tmp_path, capfd):
  official_formats.write(Cars3D, tmp_path / "made")
  (tmp_path / "fetched").mkdir()
  archive = tmp_path / "fetched" / ARCHIVE
  _write_archive(archive, tmp_path / "made" / "cars")
  archive.write_bytes(archive.read_bytes()[:-500])
  message = _fails(capfd, "prepare", "cars3d", "--from", tmp_path / "fetched")
  assert "truncated or damaged" in message
  assert not list(home.rglob("*.mat"))

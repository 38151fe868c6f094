import io
import tarfile

import pytest

from disentangle_tf.data.files import unpacking
from disentangle_tf.errors import UserError


def _write_archive(path, members):
  """A tar archive of {name: content}."""
  with tarfile.open(path, "w:gz") as archive:
    for name, content in members.items():
      member = tarfile.TarInfo(name)
      member.size = len(content)
      archive.addfile(member, io.BytesIO(content))
  return path


CARS = {"data/cars/car_000_mesh.mat": b"zero", "data/cars/car_001_mesh.mat": b"one"}


@pytest.fixture
def folder(tmp_path):
  return tmp_path / "home" / "cars"


def test_only_the_cars_are_taken(folder, tmp_path):
  others = {"data/cars/list.txt": b"x", "data/sprites/a.mat": b"x", "cars.mat": b"x"}
  archive = _write_archive(tmp_path / "a.tar.gz", {**others, **CARS})
  unpacking.unpack_cars(archive, folder)
  found = {path.name: path.read_bytes() for path in folder.iterdir()}
  assert found == {"car_000_mesh.mat": b"zero", "car_001_mesh.mat": b"one"}


def test_a_link_is_not_followed(folder, tmp_path):
  archive = tmp_path / "a.tar.gz"
  with tarfile.open(archive, "w:gz") as members:
    link = tarfile.TarInfo("data/cars/evil.mat")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    members.addfile(link)
    real = tarfile.TarInfo("data/cars/car_000_mesh.mat")
    members.addfile(real, io.BytesIO())
  unpacking.unpack_cars(archive, folder)
  assert [path.name for path in folder.iterdir()] == ["car_000_mesh.mat"]


def _refused(archive, folder, part):
  with pytest.raises(UserError, match=part) as raised:
    unpacking.unpack_cars(archive, folder)
  assert str(archive) in str(raised.value) and "\n" not in str(raised.value)
  assert not folder.exists() and not list(folder.parent.iterdir())


@pytest.mark.parametrize("member", ["../evil.mat", "/cars/evil.mat"])
def test_an_archive_that_leaves_its_folder_is_refused(member, folder, tmp_path):
  archive = _write_archive(tmp_path / "a.tar.gz", {**CARS, member: b"evil"})
  _refused(archive, folder, "unsafe name or size")
  assert not list(tmp_path.rglob("evil.mat"))


def test_a_member_of_monstrous_size_is_refused(folder, tmp_path, monkeypatch):
  monkeypatch.setattr(unpacking, "_LARGEST", 3)
  _refused(_write_archive(tmp_path / "a.tar.gz", CARS), folder, "unsafe name or size")


def test_an_archive_without_cars_is_refused(folder, tmp_path):
  archive = _write_archive(tmp_path / "a.tar.gz", {"data/cars/list.txt": b"x"})
  _refused(archive, folder, r"it has no cars/\*.mat")


def test_a_truncated_archive_is_refused(folder, tmp_path):
  content = {f"data/cars/car_{i:03}_mesh.mat": bytes(range(256)) * 40 for i in range(9)}
  archive = _write_archive(tmp_path / "a.tar.gz", content)
  archive.write_bytes(archive.read_bytes()[:-100])
  _refused(archive, folder, "truncated or damaged")

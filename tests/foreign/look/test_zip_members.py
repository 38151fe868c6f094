import zipfile

import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.look.zip_members import zip_members


def members(path, *, most_bytes):
  with zipfile.ZipFile(path) as archive:
    return {
      m.filename: m.file_size for m in zip_members(archive, most_bytes=most_bytes)
    }


def write(path, sizes, method=zipfile.ZIP_DEFLATED):
  with zipfile.ZipFile(path, "w", method) as archive:
    for name, size in sizes.items():
      archive.writestr(name, bytes(size))
  return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_all_are_given(method, tmp_path):
  sizes = {"a": 600, "folder/b": 400}
  path = write(tmp_path / "a.zip", sizes, method)
  assert members(path, most_bytes=1_000) == sizes


def test_what_they_unpack_to_counts_together(tmp_path):
  path = write(tmp_path / "a.zip", {"a": 600, "b": 400})
  with pytest.raises(ModelError, match="it unpacks to more than 999 bytes"):
    members(path, most_bytes=999)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_cannot_be_cut_short(method, tmp_path):
  path = write(tmp_path / "a.zip", {"a": 1}, method)
  with pytest.raises(ModelError, match="another method than deflate"):
    members(path, most_bytes=1_000)


def test_very_many(tmp_path):
  sizes = dict.fromkeys(map(str, range(10_000)), 0)
  assert members(write(tmp_path / "a.zip", sizes), most_bytes=1) == sizes
  write(tmp_path / "a.zip", {**sizes, "one more": 0})
  with pytest.raises(ModelError, match="more than 10,000 files"):
    members(tmp_path / "a.zip", most_bytes=1)

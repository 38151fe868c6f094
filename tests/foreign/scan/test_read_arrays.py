"""NumPy's files, read in this process; test_arrays.py reads them in a sandbox."""

import zipfile

import numpy as np
import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.scan.read_arrays import read_arrays, zip_members


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


CODES = np.arange(6.0).reshape(3, 2)


def test_npz(tmp_path):
  factors = np.arange(3, dtype=np.uint8)[:, None]
  np.savez(tmp_path / "a.npz", codes=CODES, factors=factors, names=["a\n"], other=[1])
  description, numbers = read_arrays(tmp_path / "a.npz")
  assert description == {
    "arrays": {
      "codes": {"dtype": "float64", "shape": [3, 2], "numbers": True},
      "factors": {"dtype": "uint8", "shape": [3, 1], "numbers": True},
      "names": {"dtype": "<U2", "shape": [1], "numbers": False},
    },
    "names": ["a"],
  }
  assert [array.dtype.str for array in numbers] == ["<f4", "<f8"]
  np.testing.assert_array_equal(numbers[0], CODES)
  np.testing.assert_array_equal(numbers[1], factors)


def test_npy_by_columns(tmp_path):
  np.save(tmp_path / "a.npy", np.asfortranarray(CODES))
  description, (numbers,) = read_arrays(tmp_path / "a.npy")
  assert description["names"] is None
  assert numbers.flags.c_contiguous
  np.testing.assert_array_equal(numbers, CODES)


def test_an_npz_without_codes(tmp_path):
  np.savez(tmp_path / "a.npz", b=CODES, a=CODES)
  with pytest.raises(ModelError, match="it has no array 'codes', it has a, b"):
    read_arrays(tmp_path / "a.npz")


def test_names_that_are_no_texts_are_left_out(tmp_path):
  for names in (np.arange(2), np.full(1_001, "x")):
    np.savez(tmp_path / "a.npz", codes=CODES, names=names)
    assert read_arrays(tmp_path / "a.npz")[0]["names"] is None

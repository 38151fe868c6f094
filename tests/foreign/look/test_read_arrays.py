"""NumPy's files, read in this process; test_arrays.py reads them in a sandbox."""

import numpy as np
import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.look.read_arrays import read_arrays

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

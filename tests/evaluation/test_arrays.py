import numpy as np
import pytest
from foreign_models import Encoder, all_codes, write_arrays
from shared_checks import tiny_data, tiny_model

from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.arrays import table_from_arrays
from disentangle_tf.foreign.model_error import ModelError


@pytest.fixture(scope="module")
def encoder():
  return Encoder(tiny_model())


def test_codes_with_factors(encoder, tmp_path):
  codes, log_variances, factors = all_codes(encoder)
  path = write_arrays(tmp_path / "codes.npz", encoder)
  table, remarks = table_from_arrays(path)
  assert not remarks
  assert table.space.sizes == tiny_data().factors.sizes
  np.testing.assert_array_equal(table.draw(factors), codes)
  np.testing.assert_array_equal(table.draw_distribution(factors)[1], log_variances)
  # The same points are drawn as from the data set itself.
  rng, other = np.random.default_rng(0), np.random.default_rng(0)
  np.testing.assert_array_equal(
    table.points(20, rng), tiny_data().factors.draw(20, other)
  )


def test_any_order_and_any_values(encoder, tmp_path):
  codes, _, factors = all_codes(encoder)
  order = np.random.default_rng(0).permutation(len(codes))
  path = tmp_path / "a.npz"
  np.savez(path, codes=codes[order], factors=factors[order] * 0.5 - 3)
  table, _ = table_from_arrays(path)
  np.testing.assert_array_equal(table.draw(factors), codes)
  assert not table.has_distribution


def test_only_some_points_and_some_twice(tmp_path):
  factors = np.array([[0, 0], [1, 1], [1, 1], [0, 1]])
  np.savez(tmp_path / "a.npz", codes=np.arange(8.0).reshape(4, 2), factors=factors)
  table, remarks = table_from_arrays(tmp_path / "a.npz")
  assert remarks == ["1 points with repeated factors left out"]
  assert table.space.num_points == 3
  np.testing.assert_array_equal(table.draw([[0, 1]]), [[6.0, 7.0]])


def test_codes_in_index_order(encoder, tmp_path):
  codes, _, factors = all_codes(encoder)
  np.save(tmp_path / "codes.npy", codes)
  table, _ = table_from_arrays(tmp_path / "codes.npy", tiny_data().factors)
  np.testing.assert_array_equal(table.draw(factors), codes)
  with pytest.raises(UserError, match="--data"):
    table_from_arrays(tmp_path / "codes.npy")
  np.save(tmp_path / "few.npy", codes[:-1])
  with pytest.raises(UserError, match="255 codes, the data set 256"):
    table_from_arrays(tmp_path / "few.npy", tiny_data().factors)


@pytest.mark.parametrize(
  ("arrays", "message"),
  [
    ({"code": np.zeros((2, 2))}, "no array 'codes', it has code"),
    ({"codes": np.zeros(4)}, r"shape \(4,\)"),
    ({"codes": np.zeros((0, 2))}, "shape"),
    ({"codes": np.array([["a", "b"]])}, "numbers"),
    ({"codes": np.array([[0.0, np.nan]])}, "latent 1 are NaN"),
    ({"codes": np.array([[object()]], dtype=object)}, "cannot be read"),
    ({"codes": np.zeros((2, 2)), "factors": np.zeros((3, 1))}, "for 2 codes"),
    ({"codes": np.zeros((2, 2)), "factors": np.zeros(2)}, "factors have shape"),
    ({"codes": np.zeros((2, 2)), "factors": np.array([["a"], ["b"]])}, "finite numb"),
    (
      {"codes": np.zeros((2, 2)), "factors": np.eye(2), "log_variances": np.eye(3)},
      "differ in shape",
    ),
  ],
)
def test_bad_arrays(tmp_path, arrays, message):
  np.savez(tmp_path / "a.npz", **arrays)
  with pytest.raises(ModelError, match=message):
    table_from_arrays(tmp_path / "a.npz")


@pytest.mark.parametrize("name", ["a.npz", "a.npy"])
def test_garbage(tmp_path, name):
  (tmp_path / name).write_bytes(b"\x93NUMPY garbage")
  with pytest.raises(ModelError, match="cannot be read"):
    table_from_arrays(tmp_path / name)


def test_factors_of_another_set(encoder, tmp_path):
  path = write_arrays(tmp_path / "a.npz", encoder, factors=np.full((256, 4), 4))
  with pytest.raises(UserError, match="not those of the data set"):
    table_from_arrays(path, tiny_data().factors)


def test_a_header_that_promises_too_much(tmp_path):
  header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999, 9), }"
  header += b" " * (118 - len(header) - 1) + b"\n"
  content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
  (tmp_path / "a.npy").write_bytes(content)
  with pytest.raises(ModelError, match="cannot be read"):
    table_from_arrays(tmp_path / "a.npy")

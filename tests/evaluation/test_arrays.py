import numpy as np
import pytest
from foreign_models import Encoder, all_codes, write_arrays
from scipy import stats
from shared_checks import tiny_data, tiny_model

from disentangle_tf import metrics
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.evaluation import arrays
from disentangle_tf.foreign.scan.scan import Arrays
from disentangle_tf.scoring import Measurement


def table_of(path, *args, **options):
  return arrays.table_from_arrays(Arrays.read(path), *args, **options)


@pytest.fixture(scope="module")
def encoder():
  return Encoder(tiny_model())


def test_codes_with_factors(encoder, tmp_path):
  codes, log_variances, factors = all_codes(encoder)
  path = write_arrays(tmp_path / "codes.npz", encoder)
  table = table_of(path)
  assert not table.remarks
  assert table.space.sizes == tiny_data().factors.sizes
  seen = table.observe(factors, None)
  np.testing.assert_array_equal(seen.codes, codes)
  np.testing.assert_array_equal(seen.log_variances, log_variances)
  # The same points are drawn as from the data set itself.
  rng, other = np.random.default_rng(0), np.random.default_rng(0)
  np.testing.assert_array_equal(
    table.sample(20, rng).factors, tiny_data().factors.draw(20, other)
  )


def test_any_order_and_any_values(encoder, tmp_path):
  codes, _, factors = all_codes(encoder)
  order = np.random.default_rng(0).permutation(len(codes))
  path = tmp_path / "a.npz"
  np.savez(path, codes=codes[order], factors=factors[order] * 0.5 - 3)
  table = table_of(path)
  np.testing.assert_array_equal(table.codes_of(factors, None), codes)
  assert not table.has_distribution


def test_only_some_points_and_some_twice(tmp_path):
  factors = np.array([[0, 0], [1, 1], [1, 1], [0, 1]])
  np.savez(tmp_path / "a.npz", codes=np.arange(8.0).reshape(4, 2), factors=factors)
  table = table_of(tmp_path / "a.npz")
  assert table.space.num_points == 3 and table.num_images == 4
  rng = np.random.default_rng(0)
  np.testing.assert_array_equal(table.codes_of([[0, 1]], rng), [[6.0, 7.0]])
  drawn = table.codes_of(np.ones((1_000, 2), int), rng)
  counts = np.unique(drawn[:, 0], return_counts=True)
  np.testing.assert_array_equal(counts[0], [2.0, 4.0])
  assert stats.chisquare(counts[1]).pvalue > 1e-3
  np.testing.assert_array_equal(table.sample(None, rng).codes[:, 0], [0, 2, 4, 6])


def test_repeated_factors_keep_their_weight(tmp_path):
  # Nine in ten points have the value 0: that is what the scores are of.
  factors = np.array([[0]] * 90 + [[1]] * 10)
  codes = np.arange(100.0)[:, None]
  np.savez(tmp_path / "a.npz", codes=codes, factors=factors)
  table = table_of(tmp_path / "a.npz")
  seen = table.sample(20_000, np.random.default_rng(0))
  assert seen.factors.mean() == pytest.approx(0.1, abs=0.01)
  np.testing.assert_array_equal(seen.factors[:, 0], seen.codes[:, 0] >= 90)
  assert len(np.unique(seen.codes)) == 100


def test_continuous_factors_are_binned(tmp_path):
  rng = np.random.default_rng(0)
  factors = np.column_stack([rng.normal(size=(4_000, 2)), rng.integers(30, size=4_000)])
  codes = (factors + 0.5 * rng.normal(size=factors.shape)).astype(np.float32)
  path = tmp_path / "a.npz"
  np.savez(path, codes=codes, factors=factors, names=["wide", "high", "kind"])
  table = table_of(path)
  assert table.space.names == ("wide", "high", "kind")
  assert table.space.sizes == (20, 20, 30)  # whole numbers stay as they are
  assert table.remarks == (
    "wide is continuous (4000 values), scored in 20 bins",
    "high is continuous (4000 values), scored in 20 bins",
  )
  whole, drawn = (
    Measurement(metrics.mig, num_points=count).scores(table, seed=0)["mig"]
    for count in ("all", 10_000)
  )
  expected = metrics.mig(codes, factors)["mig"]
  assert expected > 0.2
  assert whole == pytest.approx(expected, abs=1e-9)
  assert drawn == pytest.approx(expected, abs=0.02)
  few = table_of(path, factor_bins=4)
  assert few.space.sizes == (4, 4, 30)
  with pytest.raises(UserError, match="factor_bins is 0"):
    table_of(path, factor_bins=0)


def test_codes_in_index_order(encoder, tmp_path):
  codes, _, factors = all_codes(encoder)
  np.save(tmp_path / "codes.npy", codes)
  table = table_of(tmp_path / "codes.npy", tiny_data().factors)
  np.testing.assert_array_equal(table.codes_of(factors, None), codes)
  with pytest.raises(UserError, match="set data"):
    table_of(tmp_path / "codes.npy")
  np.save(tmp_path / "few.npy", codes[:-1])
  with pytest.raises(UserError, match="255 codes, the data set 256"):
    table_of(tmp_path / "few.npy", tiny_data().factors)


@pytest.mark.parametrize(
  ("given", "message"),
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
    (
      {"codes": np.zeros((2, 2)), "factors": np.eye(2), "names": ["a", "b", "c"]},
      "for 2 factors",
    ),
  ],
)
def test_bad_arrays(tmp_path, given, message):
  np.savez(tmp_path / "a.npz", **given)
  with pytest.raises(ModelError, match=message):
    table_of(tmp_path / "a.npz")


@pytest.mark.parametrize("name", ["a.npz", "a.npy"])
def test_garbage(tmp_path, name):
  (tmp_path / name).write_bytes(b"\x93NUMPY garbage")
  with pytest.raises(ModelError, match="cannot be read"):
    table_of(tmp_path / name)


def test_factors_of_another_set(encoder, tmp_path):
  path = write_arrays(tmp_path / "a.npz", encoder, factors=np.full((256, 4), 4))
  with pytest.raises(UserError, match="not those of the data set"):
    table_of(path, tiny_data().factors)


def test_a_header_that_promises_too_much(tmp_path):
  header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999, 9), }"
  header += b" " * (118 - len(header) - 1) + b"\n"
  content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
  (tmp_path / "a.npy").write_bytes(content)
  with pytest.raises(ModelError, match="cannot be read"):
    table_of(tmp_path / "a.npy")

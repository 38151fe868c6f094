"""Every point that is drawn is an observation of its own, where a set has several."""

import numpy as np
import pytest
from coin_set import Coin, flatten
from shared_checks import tiny_data

from disentangle_tf import metrics
from disentangle_tf.data import FactorSpace, FactorSubset, FactorTable
from disentangle_tf.errors import UserError
from disentangle_tf.scoring import CodesTable, Measurement


def rng(seed=0):
  return np.random.default_rng(seed)


def test_a_deterministic_set_is_encoded_once():
  data, seen = tiny_data(), []

  def encode(images):
    seen.append(len(images))
    return flatten(images)

  table = CodesTable.of_model(encode, data, batch_size=20)
  factors = data.factors.draw(30, rng())
  flat, log_variances = flatten(data.observe(factors).numpy())
  observed = table.observe(factors, rng())
  np.testing.assert_array_equal(observed.codes, flat)
  np.testing.assert_array_equal(observed.log_variances, log_variances)
  np.testing.assert_array_equal(observed.factors, factors)
  distinct = np.union1d(
    [0], data.factors.to_index(factors)
  )  # the first image sets the size
  assert sum(seen) == len(distinct) and max(seen) <= 20
  whole = table.sample(None, None)
  assert len(whole) == 256 and sum(seen) == 256  # each once
  np.testing.assert_array_equal(data.factors.to_index(whole.factors), np.arange(256))
  images = data.observe(whole.factors).numpy()
  np.testing.assert_array_equal(whole.codes, images.reshape(256, -1))


def test_drawing_from_a_deterministic_set_leaves_its_points_as_they_were():
  data = tiny_data()
  table = CodesTable.of_model(flatten, data)
  ours, theirs = rng(), rng()
  np.testing.assert_array_equal(
    table.sample(50, ours).factors, data.factors.draw(50, theirs)
  )
  table.codes_of(data.factors.draw(5, rng(1)), ours)
  assert ours.random() == theirs.random()  # nothing else was drawn


def test_a_table_of_the_wrong_size():
  with pytest.raises(UserError, match="5 codes for a set of 6"):
    CodesTable(np.zeros((5, 2)), FactorSpace(("a", "b"), (2, 3)))
  with pytest.raises(UserError, match="5 codes for a set of 3"):
    CodesTable(np.zeros((5, 2)), FactorSpace("a", (2,)), points=[[0], [1], [1]])


@pytest.mark.parametrize(
  "data", [Coin(), FactorSubset(tiny_data(), ("x_R",)), tiny_data()]
)
def test_all_that_is_known_of_a_point_is_of_one_image(data):
  codes = CodesTable.of_model(flatten, data, reconstruct=lambda images: 1 - images)
  for seen in (
    codes.sample(600, rng()),
    codes.observe([[0] * len(codes.space)], rng()),
  ):
    images, reconstructions = seen.reconstruct()
    flat, log_variances = flatten(images)
    np.testing.assert_array_equal(seen.codes, flat)
    np.testing.assert_array_equal(seen.log_variances, log_variances)
    np.testing.assert_array_equal(reconstructions, 1 - images)


def test_a_subset_is_as_many_images_as_points_are_drawn():
  whole = tiny_data(image_size=16, num_squares=2)  # 4,096 images
  table = CodesTable.of_model(flatten, FactorSubset(whole, ("x_R",)))
  assert table.space.sizes == (8,) and table.num_images == 4_096
  seen = table.sample(10_000, rng())
  different = len(np.unique(seen.codes, axis=0))
  expected = 4_096 * (1 - (1 - 1 / 4_096) ** 10_000)
  assert different == pytest.approx(expected, abs=60)
  points = table.sample(None, None)
  assert len(np.unique(points.codes, axis=0)) == len(points) == 4_096
  np.testing.assert_array_equal(np.bincount(points.factors[:, 0]), [512] * 8)
  drawn = table.codes_of(np.full((4_000, 1), 3), rng())
  assert len(np.unique(drawn, axis=0)) == pytest.approx(512, abs=5)


def _twelve_of_each():
  """Images whose first pixels are the factors; the third numbers the twelve copies."""
  grid = np.stack(np.meshgrid(range(4), range(5), indexing="ij"), -1).reshape(-1, 2)
  factors = np.repeat(grid, 12, axis=0)
  images = np.zeros((len(factors), 1, 3, 1), np.uint8)
  images[:, 0, :2, 0] = 20 * factors
  images[:, 0, 2, 0] = np.tile(np.arange(12) * 20, len(grid))
  order = rng().permutation(len(factors))
  return images[order], factors[order]


def test_a_perfect_encoder_of_a_table_with_several_images_has_a_mig_of_one():
  data = FactorTable(*_twelve_of_each())
  table = CodesTable.of_model(flatten, data)
  assert table.num_images == 240 and table.space.num_points == 20
  for num_points in (10_000, "all"):
    scores = Measurement(metrics.mig, num_points=num_points).scores(table, seed=0)
    assert scores["mig"] == pytest.approx(1.0, abs=0.01)
  whole = table.sample(None, None)
  images, reconstructed = whole.codes, 255 * whole.codes[:, :2] / 20
  np.testing.assert_allclose(reconstructed, whole.factors, atol=1e-4)
  assert len(np.unique(images, axis=0)) == 240
  subset = CodesTable.of_model(flatten, FactorSubset(data, ("factor_1",)))
  assert subset.num_images == 240 and subset.space.sizes == (5,)


def test_continuous_factors_of_a_table_are_binned():
  factors = rng().random((3_000, 2))
  images = np.concatenate([factors, factors[:, :1] ** 2], axis=1)[:, None, :, None]
  data = FactorTable(images, factors, names=("width", "height"))
  table = CodesTable.of_model(flatten, data)
  assert table.space.sizes == (20, 20)
  assert table.remarks[1] == "height is continuous (3000 values), scored in 20 bins"
  scores = Measurement(metrics.mig, num_points="all").scores(table, seed=0)
  codes = images.reshape(3_000, 3).astype(np.float32)
  assert scores["mig"] == pytest.approx(metrics.mig(codes, factors)["mig"], abs=1e-6)
  fewer = CodesTable.of_model(flatten, data, factor_bins=5)
  assert fewer.space.sizes == (5, 5)

import json

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats
from shared_checks import run_dataset_test, tiny_data

from disentangle_tf.data import (
  Batches,
  GroundTruthData,
  PartialFactorSpace,
  Spot,
  UniformNoise,
  data_from_config,
  data_to_config,
)
from disentangle_tf.data.sets.wrappers import FactorSubset, fold
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed


def test_the_papers_formula_with_its_misprint_mended():
  """x' - 2 ReLU(x' - 1) + 2 ReLU(-x'), appendix B.1 of Zietlow et al."""
  values = np.linspace(-1, 2, 301)
  expected = values - 2 * np.maximum(values - 1, 0) + 2 * np.maximum(-values, 0)
  np.testing.assert_allclose(fold(values), expected, atol=1e-12)
  assert np.min(fold(values)) >= 0 and np.max(fold(values)) <= 1


def test_nothing_moves_further_than_it_was_pushed():
  rng = np.random.default_rng(0)
  pixels, change = rng.uniform(size=10_000), rng.uniform(-1, 1, size=10_000)
  moved = np.abs(fold(pixels + change) - pixels)
  assert np.all(moved <= np.abs(change) + 1e-12)
  inside = np.abs(pixels + change - 0.5) <= 0.5
  np.testing.assert_allclose(moved[inside], np.abs(change[inside]), atol=1e-12)


NAMES = ("y_G", "x_R")  # factors 3 and 0 of four, in another order
SEED = stream_seed(0, "test")


class Points(GroundTruthData):
  """An "image" of its factors and, if noisy, of the seed."""

  name = "points"
  observation_shape = (1, 1, 3)

  def __init__(self, noisy=False):
    self.one_image_per_point = not noisy
    points = [[0, 0, 0], [0, 1, 0], [0, 3, 1], [2, 1, 1], [2, 2, 0]]
    self.factors = PartialFactorSpace("abc", (3, 4, 2), points)

  def observe(self, factors, seed=None):
    shown = tf.cast(factors, tf.float32)[:, None, None, :]
    if self.one_image_per_point or seed is None:
      return shown
    return shown + tf.cast(seed[0], tf.float32)


def positions(images):
  """Corners of the two squares in tiny_data, [points, (x_R, y_R, x_G, y_G)]."""
  rows, columns = (np.argmax(images.max(axis=axis), axis=1) // 2 for axis in (2, 1))
  return np.stack([columns, rows], axis=-1).reshape(len(images), 4)


def test_is_a_data_set():
  run_dataset_test(FactorSubset(tiny_data(), NAMES))


def test_the_named_factors_show_and_the_rest_is_uniform():
  data = FactorSubset(tiny_data(), NAMES)
  assert data.factors.names == NAMES
  factors = np.tile([[1, 2]], [20_000, 1])
  shown = positions(data.observe(factors, SEED).numpy())
  assert (shown[:, 3] == 1).all() and (shown[:, 0] == 2).all()
  others = np.bincount(shown[:, 1] * 4 + shown[:, 2], minlength=16)
  assert stats.chisquare(others).pvalue > 1e-3


def test_every_point_shows_its_own_factors():
  data = FactorSubset(tiny_data(), NAMES)
  factors = data.factors.to_factors(np.arange(len(data)))
  shown = positions(data.observe(factors).numpy())
  np.testing.assert_array_equal(shown[:, [3, 0]], factors)


def test_observations_follow_from_the_seed():
  data = FactorSubset(tiny_data(), NAMES)
  factors = data.factors.to_factors(np.arange(16))
  one, again = (data.observe(factors, SEED) for _ in range(2))
  np.testing.assert_array_equal(one, again)
  assert (one != data.observe(factors, stream_seed(1, "test"))).numpy().any()
  compiled = tf.function(data.observe, jit_compile=True)
  np.testing.assert_array_equal(one, compiled(tf.constant(factors), SEED))


def test_only_points_that_exist_are_observed():
  data = FactorSubset(Points(), ("a",))
  assert len(data) == 2  # one of the values 0, 1, 2 never occurs
  shown = data.observe(np.tile([[0]], [3_000, 1]), SEED).numpy().reshape(-1, 3)
  counts = np.bincount(data.data.factors.to_index(shown.astype(int)), minlength=5)
  assert stats.chisquare(counts[:3]).pvalue > 1e-3 and not counts[3:].any()


def test_all_combinations_that_exist_form_a_whole_grid():
  data = FactorSubset(Points(), ("c",))
  assert not isinstance(data.factors, PartialFactorSpace)
  assert data.factors.sizes == (2,)


def test_the_wrapped_set_gets_a_seed_of_its_own():
  plain, noisy = (FactorSubset(Points(noisy), ("a",)) for noisy in (False, True))
  assert (plain.observe([[0]], SEED) != noisy.observe([[0]], SEED)).numpy().all()


def test_batches_draw_the_nuisances_anew():
  batches = Batches(FactorSubset(tiny_data(), ("x_R",)), batch_size=64)
  np.testing.assert_array_equal(batches.make(1), batches.make(1))
  assert len(np.unique(positions(batches.make(1).numpy())[:, 3])) == 4


def test_standardisation_is_that_of_the_wrapped_set():
  data = tiny_data(grey=True)
  assert FactorSubset(data, NAMES).standardisation() == data.standardisation()


def test_nested_sets_round_trip_through_json():
  data = FactorSubset(FactorSubset(tiny_data(grid_spacing=1), NAMES), ("x_R",))
  config = json.loads(json.dumps(data_to_config(data)))
  assert config["arguments"]["data"]["arguments"]["data"]["class"] == "XYSquares"
  again = data_from_config(config)
  assert json.loads(json.dumps(data_to_config(again))) == config
  np.testing.assert_array_equal(data.observe([[1]]), again.observe([[1]]))


@pytest.mark.parametrize(
  "inner, message", [(5, "cannot be made again"), ({"class": "os"}, "data=")]
)
def test_only_our_own_sets_are_nested(inner, message):
  arguments = {"data": inner, "names": ["x_R"]}
  with pytest.raises(UserError, match=message):
    data_from_config({"class": "FactorSubset", "arguments": arguments})


@pytest.mark.parametrize("names", [(), ("x_R", "x_R"), ("x_B",)])
def test_names_must_be_factors(names):
  with pytest.raises(UserError, match="each once|no factor 'x_B'"):
    FactorSubset(tiny_data(), names)


def test_the_images_behind_a_subset():
  data = FactorSubset(tiny_data(), NAMES)
  listed = data.listed_images()
  assert len(listed) == 256
  shown = positions(listed.observe(np.arange(256)).numpy())
  np.testing.assert_array_equal(shown[:, [3, 0]], np.stack(listed.values, axis=1))
  assert len(np.unique(shown, axis=0)) == 256
  inner = FactorSubset(data, ("x_R",)).listed_images()
  np.testing.assert_array_equal(inner.values[0], shown[:, 0])
  assert not data.is_endless and not FactorSubset(Points(), ("a",)).is_endless
  endless = FactorSubset(Points(noisy=True), ("a",))
  assert endless.listed_images() is None and endless.is_endless
  existing = FactorSubset(Points(), ("a",)).listed_images()
  assert existing.values[0].tolist() == [0, 0, 0, 2, 2]


def test_a_subset_of_very_many_images_is_not_listed():
  many = tiny_data(image_size=64, square_size=1, grid_spacing=1)  # 2^24 images
  subset = FactorSubset(many, ("x_R",))
  assert subset.listed_images() is None and subset.is_endless


def test_keeps_the_promises_of_a_data_set():
  run_dataset_test(UniformNoise(tiny_data(), 0.1))


def test_noise_is_uniform_and_drawn_anew():
  """Nothing folds in Spot: a mean of 0, a variance of epsilon^2 / 3."""
  data, factors = UniformNoise(Spot(), 0.1), np.tile([[3, 4]], (200, 1))
  noise = data.observe(factors).numpy() - Spot().observe(factors).numpy()
  assert np.abs(noise).max() <= 0.1 + 1e-6 and np.abs(noise).max() > 0.099
  assert noise.mean() == pytest.approx(0, abs=1e-3)
  assert noise.var() == pytest.approx(0.01 / 3, rel=0.02)
  assert np.abs(np.corrcoef(noise.reshape(200, -1)[:2])[0, 1]) < 0.3
  other = data.observe(factors, (5, 6)).numpy()
  assert (other != data.observe(factors).numpy()).any()


def test_what_leaves_the_range_is_folded_back():
  data = UniformNoise(tiny_data(), 0.3)  # black and white
  factors = data.factors.to_factors(np.arange(20))
  images, plain = data.observe(factors).numpy(), tiny_data().observe(factors).numpy()
  assert images.min() >= 0 and images.max() <= 1
  assert np.abs(images - plain).max() <= 0.3 + 1e-6


def test_is_told_in_a_manifest():
  data = UniformNoise(Spot(), 0.25)
  again = data_from_config(data_to_config(data))
  assert again.epsilon == 0.25 and isinstance(again.data, Spot)
  np.testing.assert_array_equal(again.observe([[1, 2]]), data.observe([[1, 2]]))


@pytest.mark.parametrize("epsilon", [0, -0.1, 1.5, "a"])
def test_the_size_of_the_noise(epsilon):
  with pytest.raises(UserError, match=r"UniformNoise\.epsilon is"):
    UniformNoise(Spot(), epsilon)


def test_of_a_set_by_its_name():
  data = UniformNoise.of_set("spot", 0.2)
  assert isinstance(data.data, Spot) and data.epsilon == 0.2
  with pytest.raises(UserError, match="table needs more arguments"):
    UniformNoise.of_set("table", 0.2)
  with pytest.raises(UserError, match="did you mean 'spot'"):
    UniformNoise.of_set("sport", 0.2)

import dataclasses

import numpy as np
import pytest
import tensorflow as tf
from manipulated_sets import write_manipulated
from shared_checks import tiny_data

from disentangle_tf.data import (
  FactorSpace,
  FactorSubset,
  FactorTable,
  GroundTruthData,
  ListedImages,
  Manipulated,
  Spot,
  UniformNoise,
  num_points,
  observation_shape,
  standardisation,
)
from disentangle_tf.data.ground_truth_data import observation_seed
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_uniform, stream_seed


def seed(factors):
  return tuple(observation_seed(factors).numpy().tolist())


def test_it_follows_from_the_sum_of_values_weighted_by_their_squared_places():
  """1 (0 + 1) + 4 (2 + 1) + 9 (1 + 1) + 16 (0 + 1) = 47"""
  expected = stream_seed(0, "observe", 47)
  np.testing.assert_array_equal(observation_seed([[0, 2], [1, 0]]), expected)


def test_other_points_and_other_orders_have_other_seeds():
  asked = [[[0, 0]], [[0, 1]], [[1, 0]], [[0, 0], [0, 1]], [[0, 1], [0, 0]]]
  assert len({seed(factors) for factors in asked}) == len(asked)
  assert seed([[3, 4]]) == seed([[3, 4]])


def test_it_is_a_seed_of_random_streams_in_a_graph_too():
  factors = np.random.default_rng(0).integers(1000, size=(500, 7))
  found = observation_seed(factors)
  assert found.dtype == tf.int32 and found.shape == (2,) and (found.numpy() >= 0).all()
  in_a_graph = tf.function(observation_seed)(tf.constant(factors))
  np.testing.assert_array_equal(found, in_a_graph)


SEED = stream_seed(0, "test")


class Shades(GroundTruthData):
  """Six images of 2x2x1 that are their factor, 0 to 1 from the left to the right."""

  name = "shades"
  observation_shape = (2, 2, 1)

  def __init__(self):
    self.factors = FactorSpace(("shade",), (6,))

  def observe(self, factors, seed=None):
    shade = tf.cast(factors, tf.float32)[:, :, None, None] / 5
    return tf.tile(shade, [1, 2, 1, 1]) * tf.constant([0.0, 1.0])[:, None]


class Noise(Shades):
  """Uniform noise that depends on the seed only."""

  one_image_per_point = False

  def observe(self, factors, seed=None):
    seed = SEED if seed is None else seed
    return random_uniform([tf.shape(factors)[0], 2, 2, 1], seed)


class FewImages(Noise):
  """A noisy set that is drawn from a list of two images."""

  def listed_images(self):
    return ListedImages((np.array([0, 3]),), lambda places: tf.zeros([2, 2, 2, 1]))


def test_the_whole_set_comes_in_order():
  batches = list(Shades().in_order(4))
  assert [len(images) for _, images in batches] == [4, 2]
  factors, images = (np.concatenate(parts) for parts in zip(*batches, strict=True))
  np.testing.assert_array_equal(factors, np.arange(6)[:, None])
  np.testing.assert_allclose(images[:, 1, 1, 0], np.arange(6) / 5, rtol=1e-6)


def test_standardisation_is_the_mean_of_the_images_own():
  """Half of an image is 0 and half v: mean v / 2, unbiased std v / sqrt(3)."""
  ((mean,), (std,)) = Shades().standardisation()
  shades = np.arange(6) / 5
  assert mean == pytest.approx(shades.mean() / 2)
  assert std == pytest.approx(shades.mean() / np.sqrt(3))


def test_standardisation_of_noise_is_measured_over_many_images():
  ((mean,), (std,)) = Noise().standardisation()
  assert mean == pytest.approx(1 / 2, abs=0.02)
  assert 0.2 < std < np.sqrt(1 / 12)  # the mean of stds is below the pooled std


@pytest.mark.parametrize(
  ("data", "one_image", "endless"),
  [(Shades(), True, False), (Noise(), False, True), (FewImages(), False, False)],
)
def test_whether_there_is_always_another_image(data, one_image, endless):
  assert data.one_image_per_point == one_image
  assert data.is_endless == endless


def test_a_set_without_arguments_is_described_without():
  assert Shades().get_config() == {}
  assert isinstance(Shades.from_config({}), Shades)


def test_what_a_configuration_hands_on():
  data = tiny_data()
  assert observation_shape(data) == (8, 8, 2)
  assert standardisation(data) == data.standardisation()
  assert num_points(data) == len(data) == 256
  for function in (observation_shape, standardisation, num_points):
    with pytest.raises(UserError, match=f"{function.__name__}.data is 'xysquares'"):
      function("xysquares")


def test_a_class_that_takes_no_seed_is_refused():
  with pytest.raises(UserError, match=r"Mine.observe takes no seed: write") as raised:

    class Mine(GroundTruthData):
      def observe(self, factors):
        return factors

  assert "\n" not in str(raised.value)


def test_a_class_that_is_called_stochastic_is_refused():
  with pytest.raises(UserError, match=r"Mine.stochastic: set one_image_per_point"):

    class Mine(Shades):
      stochastic = True


def test_files_that_decide_the_images(tmp_path, monkeypatch):
  monkeypatch.chdir(tmp_path)
  factors = np.arange(4)[:, None]
  np.savez("mine.npz", images=np.zeros((4, 8, 8, 1), np.uint8), factors=factors)
  table = FactorTable.from_npz("mine.npz")
  assert table.files == [str(tmp_path / "mine.npz")]
  folder = write_manipulated(tmp_path / "set")
  changed = Manipulated.from_folder(folder)
  assert changed.files == [str(folder)]
  assert UniformNoise(table, 0.1).files == table.files
  assert FactorSubset(changed, changed.factors.names[:1]).files == changed.files
  assert Spot().files == []


@pytest.fixture
def listed():
  values = (np.array([0.5, 1.5, 0.5]), np.array(["cat", "dog", "dog"]))
  return ListedImages(values, lambda places: tf.cast(places, tf.float32) / 2)


def test_it_is_as_long_as_there_are_images(listed):
  assert len(listed) == 3


def test_images_are_asked_for_by_their_positions(listed):
  np.testing.assert_array_equal(listed.observe(np.array([2, 0])), [1, 0])


def test_it_stays_as_it_is(listed):
  with pytest.raises(dataclasses.FrozenInstanceError):
    listed.values = ()

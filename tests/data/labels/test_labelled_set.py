import functools

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats
from shared_checks import tiny_data

from disentangle_tf.data import (
  FactorSubset,
  FactorTable,
  GroundTruthData,
  LabelledSet,
  binned_labels,
  labelled_factor_sizes,
  noisy_labels,
)
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def test_a_fixed_sample_of_the_data():
  data = tiny_data()
  labelled = LabelledSet(data, num_labelled=50, seed=3)
  assert labelled.factors.shape == (50, 4)
  assert labelled.labels.dtype == np.float32
  np.testing.assert_array_equal(labelled.labels, labelled.factors)
  assert labelled_factor_sizes(labelled) == data.factors.sizes
  again = LabelledSet(data, num_labelled=50, seed=3)
  np.testing.assert_array_equal(labelled.factors, again.factors)
  assert (LabelledSet(data, num_labelled=50, seed=4).factors != labelled.factors).any()


def test_images_are_those_of_their_labels():
  data = tiny_data()
  images, labels = LabelledSet(data, num_labelled=7).make(32, SEED)
  assert labels.shape == (32, 4) and labels.dtype == tf.float32
  np.testing.assert_array_equal(images, data.observe(labels))


def test_every_labelled_image_is_as_likely():
  labelled = LabelledSet(tiny_data(), num_labelled=6)
  _, labels = labelled.make(6_000, SEED)
  found = (labels.numpy()[:, None] == labelled.labels[None]).all(axis=-1)
  assert stats.chisquare(found.sum(axis=0)).pvalue > 1e-3


def test_draws_follow_from_the_seed_and_xla_changes_nothing():
  labelled = LabelledSet(tiny_data(), num_labelled=20)

  def drawn(step):
    return labelled.make(8, stream_seed(1, "labelled", step))

  by_xla = tf.function(drawn, jit_compile=True)(tf.constant(2))
  for first, again, compiled in zip(drawn(2), drawn(2), by_xla, strict=True):
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first, compiled)
  assert (drawn(2)[1] != drawn(3)[1]).numpy().any()


def test_labellers_label():
  bins = functools.partial(binned_labels, num_bins=2)
  labelled = LabelledSet(tiny_data(), num_labelled=50, labeller=bins)
  np.testing.assert_array_equal(labelled.labels, labelled.factors // 2)
  assert labelled.factor_sizes == (2, 2, 2, 2)
  noisy = LabelledSet(tiny_data(), num_labelled=50, labeller=noisy_labels)
  wrong = np.mean(noisy.labels != noisy.factors)
  assert 0 < wrong < 0.2
  np.testing.assert_array_equal(noisy.factors, labelled.factors)


def test_only_points_that_exist_are_labelled():
  factors = np.stack([np.arange(9), np.arange(9) % 3], axis=1)
  images = np.arange(9, dtype=np.uint8)[:, None, None] * np.ones((1, 2, 2), np.uint8)
  data = FactorTable(images, factors)
  labelled = LabelledSet(data, num_labelled=100)
  data.factors.to_index(labelled.factors)  # raises if one does not exist
  images, labels = labelled.make(64, SEED)
  np.testing.assert_allclose(images[:, 0, 0, 0] * 255, labels[:, 0], rtol=1e-6)


def test_a_labelled_point_stays_one_image_where_it_could_be_many():
  data = FactorSubset(tiny_data(), ("x_R",))
  labelled = LabelledSet(data, num_labelled=5)
  images, labels = labelled.make(200, SEED)
  assert labels.shape == (200, 1)
  columns = images[..., 0].numpy().max(axis=1).argmax(axis=1)
  np.testing.assert_array_equal(columns, 2 * labels[:, 0])
  assert len(np.unique(images, axis=0)) <= 5
  others, _ = LabelledSet(data, num_labelled=5).make(200, SEED)
  np.testing.assert_array_equal(images, others)
  by_xla = tf.function(lambda: labelled.make(200, SEED), jit_compile=True)()
  np.testing.assert_array_equal(images, by_xla[0])


def test_mistakes_are_reported():
  class Unlabelled(GroundTruthData):
    name = "unlabelled"
    has_factors = False

    def observe(self, factors, seed=None):
      return factors

  with pytest.raises(UserError, match="unlabelled has no labels"):
    LabelledSet(Unlabelled())
  with pytest.raises(UserError, match="num_labelled is 0"):
    LabelledSet(tiny_data(), num_labelled=0)

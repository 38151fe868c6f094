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
  partial_labels,
  perfect_labels,
  permuted_labels,
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


SIZES = (3, 40, 5, 12, 1)
FACTORS = np.random.default_rng(0).integers(SIZES, size=(20_000, 5), dtype=np.int32)
LABELLERS = [
  perfect_labels,
  binned_labels,
  noisy_labels,
  permuted_labels,
  partial_labels,
]


def labelled(labeller, **options):
  return labeller(FACTORS, SIZES, np.random.default_rng(1), **options)


@pytest.mark.parametrize("labeller", LABELLERS)
def test_labels_fit_their_sizes_and_the_factors_stay(labeller):
  before = FACTORS.copy()
  labels, sizes = labelled(labeller)
  assert isinstance(sizes, tuple)
  assert np.issubdtype(labels.dtype, np.integer)
  assert labels.shape == (len(FACTORS), len(sizes))
  assert labels.min() >= 0
  np.testing.assert_array_equal(labels.max(axis=0), np.subtract(sizes, 1))
  labels += 1  # changing the labels does not change the factors
  np.testing.assert_array_equal(FACTORS, before)
  again, _ = labelled(labeller)
  np.testing.assert_array_equal(again, labels - 1)


def test_perfect_labels_are_the_factors():
  labels, sizes = labelled(perfect_labels)
  np.testing.assert_array_equal(labels, FACTORS)
  assert sizes == SIZES


def test_bins_are_those_of_disentanglement_lib():
  labels, sizes = labelled(binned_labels)
  assert sizes == (3, 5, 5, 5, 1)
  for column, size in enumerate(SIZES):
    expected = FACTORS[:, column]
    if size > 5:
      expected = np.minimum(expected // (size / 5), 4)
    np.testing.assert_array_equal(labels[:, column], expected)


def test_a_value_on_the_edge_of_a_bin_begins_the_next():
  values = np.arange(12)[
    :, None
  ]  # bins of 1.2, which floats only approximate: 6 = 5 * 1.2
  labels, _ = binned_labels(values, (12,), None, num_bins=10)
  assert labels[6] == 5


def test_noise_changes_as_many_labels_as_it_should():
  labels, sizes = labelled(noisy_labels, prob_random=0.3)
  assert sizes == SIZES
  for column, size in enumerate(SIZES):
    changed = labels[:, column] != FACTORS[:, column]
    rate = 0.3 * (1 - 1 / size)
    if size == 1:
      assert not changed.any()
      continue
    assert stats.binomtest(int(changed.sum()), len(changed), rate).pvalue > 1e-3
    steps = (labels - FACTORS)[changed, column] % size
    counts = np.bincount(steps, minlength=size)[1:]
    assert stats.chisquare(counts).pvalue > 1e-3


def test_no_noise_and_nothing_but_noise():
  np.testing.assert_array_equal(labelled(noisy_labels, prob_random=0)[0], FACTORS)
  noise, _ = labelled(noisy_labels, prob_random=1)
  joint = np.histogram2d(noise[:, 0], FACTORS[:, 0], bins=3)[0]
  assert stats.chi2_contingency(joint).pvalue > 1e-3


def test_permuted_values_are_renamed_one_to_one():
  labels, sizes = labelled(permuted_labels)
  assert sizes == SIZES
  for column, size in enumerate(SIZES):
    pairs = np.unique(np.stack([FACTORS[:, column], labels[:, column]], 1), axis=0)
    assert len(pairs) == size
    assert set(pairs[:, 1]) == set(range(size))
  assert abs(np.corrcoef(labels[:, 1], FACTORS[:, 1])[0, 1]) < 0.5


def test_partial_labels_keep_some_factors():
  labels, sizes = labelled(partial_labels, num_observed_factors=3)
  kept = [SIZES.index(size) for size in sizes]
  assert kept == sorted(set(kept)) and len(kept) == 3
  np.testing.assert_array_equal(labels, FACTORS[:, kept])
  choices = {
    partial_labels(FACTORS[:1], SIZES, np.random.default_rng(seed))[1]
    for seed in range(100)
  }
  assert len(choices) == 10  # pairs of five


@pytest.mark.parametrize(
  ("labeller", "options"),
  [
    (binned_labels, {"num_bins": 0}),
    (noisy_labels, {"prob_random": 1.5}),
    (partial_labels, {"num_observed_factors": 0}),
    (partial_labels, {"num_observed_factors": 6}),
  ],
)
def test_impossible_options_are_named(labeller, options):
  with pytest.raises(UserError, match=next(iter(options))):
    labelled(labeller, **options)

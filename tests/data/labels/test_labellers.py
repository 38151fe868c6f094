import numpy as np
import pytest
from scipy import stats

from disentangle_tf.data import (
  binned_labels,
  noisy_labels,
  partial_labels,
  perfect_labels,
  permuted_labels,
)
from disentangle_tf.errors import UserError

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

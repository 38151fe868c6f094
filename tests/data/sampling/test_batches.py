import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data

from disentangle_tf import data as data_sets
from disentangle_tf.data import (
  Batches,
  LabelledSet,
  changed_factors,
  draw_pairs,
  draw_single,
)
from disentangle_tf.data.fetched_data import pixels_of_bytes
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed


def test_pipeline_gives_the_batch_of_each_step():
  batches = Batches(tiny_data(), batch_size=8, seed=1)
  for step, images in enumerate(batches.dataset(5, 8), start=5):
    np.testing.assert_array_equal(images, batches.make(step))


def test_replicas_share_the_batch_of_one():
  whole = Batches(tiny_data(), batch_size=8).make(3)
  split = Batches(tiny_data(), batch_size=8, num_replicas=4)
  parts = [split.make(3, replica) for replica in range(4)]
  np.testing.assert_array_equal(whole, np.concatenate(parts))
  np.testing.assert_array_equal(whole, np.concatenate(list(split.dataset(3, 4))))


def test_a_worker_is_served_its_own_replicas():
  split = Batches(tiny_data(), batch_size=8, num_replicas=4)
  served = list(split.dataset(3, 5, replicas=range(2, 4)))
  expected = [split.make(step, replica) for step in (3, 4) for replica in (2, 3)]
  np.testing.assert_array_equal(served, expected)


def test_samplers_of_pairs_give_pairs():
  def draw_twice(space, batch_size, seed):
    factors = draw_single(space, batch_size, seed)
    return factors, factors

  first, second = Batches(tiny_data(), batch_size=8, draw=draw_twice).make(0)
  np.testing.assert_array_equal(first, second)


def test_a_batch_that_cannot_be_split_is_refused():
  with pytest.raises(UserError, match="multiple of 3"):
    Batches(tiny_data(), batch_size=8, num_replicas=3)


def test_labels_of_pairs_are_shared_like_the_pairs():
  def make(num_replicas, replica):
    batches = Batches(
      tiny_data(),
      batch_size=8,
      draw=draw_pairs,
      label_of=changed_factors,
      num_replicas=num_replicas,
    )
    return batches.make(3, replica)

  first, second, changed = make(1, 0)
  expected = draw_pairs(tiny_data().factors, 8, stream_seed(0, "factors", 3))
  np.testing.assert_array_equal(changed, expected[0] != expected[1])
  parts = [make(4, replica) for replica in range(4)]
  whole = [np.concatenate(part) for part in zip(*parts, strict=True)]
  for one, together in zip((first, second, changed), whole, strict=True):
    np.testing.assert_array_equal(one, together)
  pairs = Batches(tiny_data(), batch_size=8, draw=draw_pairs).make(3)
  np.testing.assert_array_equal(pairs, [first, second])


def test_labelled_images_come_with_every_batch():
  labelled = LabelledSet(tiny_data(), num_labelled=20)
  split = Batches(
    tiny_data(), batch_size=8, seed=1, labelled_set=labelled, num_replicas=2
  )
  plain = Batches(tiny_data(), batch_size=8, seed=1, num_replicas=2)
  expected = labelled.make(8, stream_seed(1, "labelled", 3))
  for replica, served in enumerate(split.dataset(3, 4)):
    images, (labelled_images, labels) = split.make(3, replica)
    np.testing.assert_array_equal(images, plain.make(3, replica))
    own = slice(4 * replica, 4 * replica + 4)
    np.testing.assert_array_equal(labelled_images, expected[0][own])
    np.testing.assert_array_equal(labels, expected[1][own])
    np.testing.assert_array_equal(served[0], images)
    np.testing.assert_array_equal(served[1][1], labels)


def test_labels_and_labelled_images_together():
  labelled = LabelledSet(tiny_data(), num_labelled=20)
  options = {"draw": draw_pairs, "label_of": changed_factors, "labelled_set": labelled}
  batch = Batches(tiny_data(), batch_size=8, **options).make(2)
  (first, second, changed), (images, labels) = batch
  assert changed.shape == labels.shape == (8, 4)
  assert first.shape == second.shape == images.shape == (8, 8, 8, 2)


def test_a_label_of_single_images():
  batches = Batches(tiny_data(), batch_size=8, label_of=lambda factors: factors[:, 0])
  images, label = batches.make(0)
  np.testing.assert_array_equal(images, Batches(tiny_data(), batch_size=8).make(0))
  assert label.shape == (8,)


def test_xla_changes_nothing_in_labels():
  labelled = LabelledSet(tiny_data(), num_labelled=20)
  options = {"label_of": lambda factors: factors, "labelled_set": labelled}
  batches = Batches(tiny_data(), batch_size=8, num_replicas=2, **options)
  compiled = tf.function(batches.make, jit_compile=True)
  by_xla = compiled(tf.constant(2), tf.constant(1))
  expected = batches.make(2, 1)
  tf.nest.map_structure(np.testing.assert_array_equal, by_xla, expected)


class Brighter(data_sets.FactorTable):
  """Overrides `observe` only, as a set of a user's may."""

  def observe(self, factors, seed=None):
    return 1.0 - super().observe(factors, seed)


def _bytes(kind=data_sets.FactorTable, *, scale=1):
  images = np.random.default_rng(0).integers(0, 256, [12, 8, 8, 1], np.uint8)
  return kind(images if scale == 1 else images / scale, np.arange(12) // 2)


@pytest.mark.parametrize(
  ("data", "sent"),
  [
    (_bytes(), tf.uint8),
    (_bytes(scale=255), tf.float32),
    (_bytes(Brighter), tf.float32),
    (data_sets.DSprites(image_size=8, sizes=(3, 1, 2, 2, 2)), tf.uint8),
    (data_sets.ColorDSprites(image_size=8, sizes=(3, 1, 2, 2, 2)), tf.uint8),
    (data_sets.NoisyDSprites(image_size=8, sizes=(3, 1, 2, 2, 2)), tf.uint8),
  ],
)
def test_a_batch_that_the_device_converts_is_that_of_the_host(data, sent):
  batches = Batches(data, batch_size=4, seed=3)
  convert = tf.function(batches.to_batch, jit_compile=True)
  for step, fetched in enumerate(batches.dataset(5, 7, fetched=True), start=5):
    assert tf.nest.flatten(fetched)[0].dtype == sent
    np.testing.assert_array_equal(convert(fetched), batches.make(step))


def test_bytes_become_the_floats_that_numpy_divides():
  every = np.arange(256, dtype=np.uint8)
  expected = every.astype(np.float32) / np.float32(255)
  for compiled in (False, True):
    found = tf.function(pixels_of_bytes, jit_compile=compiled)(tf.constant(every))
    np.testing.assert_array_equal(found, expected)


def test_pairs_with_labels_are_fetched_too():
  batches = Batches(_bytes(), batch_size=4, draw=draw_pairs, label_of=changed_factors)
  (fetched,) = batches.dataset(2, 3, fetched=True)
  assert {each.dtype for each in fetched["images"]} == {tf.uint8}
  for found, expected in zip(batches.to_batch(fetched), batches.make(2), strict=True):
    np.testing.assert_array_equal(found, expected)

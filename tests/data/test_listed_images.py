import dataclasses

import numpy as np
import pytest
import tensorflow as tf

from disentangle_tf.data import ListedImages


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

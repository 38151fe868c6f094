import numpy as np
import official_formats
import pytest
import tensorflow_datasets as tfds

from disentangle_tf.data import Batches, CelebA, FashionMNIST


@pytest.mark.parametrize("data_class", [CelebA, FashionMNIST])
def test_images_are_prepared_once_and_only_numbered(data_class, tmp_path, monkeypatch):
  official_formats.use_tiny_tfds(monkeypatch)
  data = data_class(folder=tmp_path)
  assert not data.has_factors
  assert data.factors.names == ("image",)
  assert len(data) == official_formats.NUM_TFDS_IMAGES
  images = Batches(data, batch_size=4).make(0).numpy()
  assert images.shape == (4, *data.observation_shape)
  assert images.min() >= 0 and 0.2 < images.max() <= 1
  monkeypatch.setattr(tfds, "load", None)
  again = data_class(folder=tmp_path)
  np.testing.assert_array_equal(again.images, data.images)

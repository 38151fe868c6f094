import functools

import numpy as np
import pytest
import tensorflow_datasets as tfds

from disentangle_tf.data import Batches, CelebA, FashionMNIST, data_to_config
from disentangle_tf.data.sets import celeb_a
from disentangle_tf.errors import UserError

NUM_EXAMPLES = 12


@pytest.mark.parametrize("data_class", [CelebA, FashionMNIST])
def test_images_are_prepared_once_and_only_numbered(data_class, tmp_path, monkeypatch):
  monkeypatch.setattr(data_class, "grids", ((NUM_EXAMPLES,),))
  monkeypatch.setitem(celeb_a._SPLITS, "all", NUM_EXAMPLES)
  monkeypatch.setattr(tfds, "load", _load_a_few)
  data = data_class(folder=tmp_path)
  assert not data.has_factors
  assert data.factors.names == ("image",)
  assert len(data) == NUM_EXAMPLES
  images = Batches(data, batch_size=4).make(0).numpy()
  assert images.shape == (4, *data.observation_shape)
  assert images.min() >= 0 and 0.2 < images.max() <= 1
  monkeypatch.setattr(tfds, "load", None)
  again = data_class(folder=tmp_path)
  np.testing.assert_array_equal(again.images, data.images)


def _load_a_few(name, split, wanted="all"):
  """Examples in the published shape, made up by TFDS."""
  assert split == wanted
  with tfds.testing.mock_data(num_examples=NUM_EXAMPLES):
    return tfds.builder(name).as_dataset(split="train")


def test_a_split_of_celeb_a_is_a_set_of_its_own(tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  monkeypatch.setitem(celeb_a._SPLITS, "train", NUM_EXAMPLES)
  monkeypatch.setattr(tfds, "load", functools.partial(_load_a_few, wanted="train"))
  data = CelebA(split="train")
  assert data.name == "celeb_a_train" and len(data) == NUM_EXAMPLES
  assert (tmp_path / "celeb_a_train" / "images.npy").exists()
  assert not (tmp_path / "celeb_a").exists()
  assert data_to_config(data)["arguments"]["split"] == "train"
  with pytest.raises(UserError, match="CelebA.split is 'dev': one of all, train"):
    CelebA(split="dev")


def test_the_splits_of_celeb_a_are_the_whole():
  splits = dict(celeb_a._SPLITS)
  assert splits.pop("all") == sum(splits.values())
  assert splits["train"] * 60 // 256 // 60 == 635  # steps an epoch of 256


def test_fashion_mnist_has_a_black_margin():
  images = np.full((3, 28, 28, 1), 200, np.uint8)
  padded = FashionMNIST.prepare_images(None, images)
  assert padded.shape == (3, 32, 32, 1)
  assert (padded[:, 2:30, 2:30] == 200).all() and padded.sum() == images.sum()

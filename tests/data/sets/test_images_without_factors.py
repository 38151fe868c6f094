import math

import numpy as np
import official_formats
import pytest
import tensorflow_datasets as tfds

from disentangle_tf.data import Batches, CelebA, FashionMNIST, data_to_config
from disentangle_tf.data.sets import images_without_factors
from disentangle_tf.errors import UserError


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


def test_a_split_is_a_set_of_its_own(tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  official_formats.use_tiny_tfds(monkeypatch, split="train")
  data = CelebA(split="train")
  assert data.name == "celeb_a_train"
  assert len(data) == official_formats.NUM_TFDS_IMAGES
  assert (tmp_path / "celeb_a_train" / "images.npy").exists()
  assert not (tmp_path / "celeb_a").exists()
  assert data_to_config(data)["arguments"]["split"] == "train"
  with pytest.raises(
    UserError, match="CelebA.split is 'dev': it must be 'all', 'train'"
  ):
    CelebA(split="dev")


def test_the_splits_are_the_whole():
  splits = dict(images_without_factors._SPLITS)
  assert splits.pop("all") == sum(splits.values())
  assert splits["train"] * 60 // 256 // 60 == 635  # steps per epoch of 256


def test_the_square_around_the_face_is_cut_out(tmp_path, monkeypatch):
  official_formats.use_tiny_tfds(monkeypatch)
  images = np.zeros((2, 218, 178, 3), np.uint8)  # as published
  images[:, 35:183, 15:163] = 200
  prepared = CelebA(folder=tmp_path).prepare_images(images)
  assert prepared.shape == (2, 64, 64, 3) and (prepared == 200).all()
  images[:, 35] = images[:, :, 162] = 0
  prepared = CelebA(folder=tmp_path).prepare_images(images)
  assert (prepared[:, 0] < 200).all() and (prepared[:, :, -1] < 200).all()
  assert (prepared[:, 2:, :-2] == 200).all()


def test_as_published():
  assert math.prod(FashionMNIST.grids[0]) == 70_000
  assert FashionMNIST.observation_shape == (32, 32, 1)


def test_there_is_a_black_margin():
  images = np.full((3, 28, 28, 1), 200, np.uint8)
  padded = FashionMNIST.prepare_images(None, images)
  assert padded.shape == (3, 32, 32, 1)
  assert (padded[:, 2:30, 2:30] == 200).all() and padded.sum() == images.sum()

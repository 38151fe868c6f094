import numpy as np
import official_formats
import pytest

from disentangle_tf.data import CelebA, data_to_config
from disentangle_tf.data.sets import celeb_a
from disentangle_tf.errors import UserError


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
  splits = dict(celeb_a._SPLITS)
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

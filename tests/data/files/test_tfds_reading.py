"""Sets of TensorFlow Datasets as caches of this package."""

import numpy as np
import official_formats
import pytest
import tensorflow as tf
import tensorflow_datasets as tfds

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.files.tfds_reading import tfds_blocks
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.errors import UserError


class DtfTinyNorb(tfds.core.GeneratorBasedBuilder):
  """A set in the format of smallnorb in TensorFlow Datasets, in another order."""

  VERSION = tfds.core.Version("1.0.0")
  space = official_formats.space_of(SmallNORB)

  def _info(self):
    labels = dict.fromkeys(SmallNORB.tfds_labels, np.int64)
    image = tfds.features.Image(shape=(96, 96, 1))
    features = tfds.features.FeaturesDict({"image": image, **labels})
    return tfds.core.DatasetInfo(builder=self, features=features)

  def _split_generators(self, dl_manager):
    return {"train": self._generate_examples(0), "test": self._generate_examples(1)}

  def _generate_examples(self, remainder):
    for index in range(self.space.num_points):
      labels = self.space.to_factors(index)
      if labels[1] % 2 == remainder:
        image = np.full((96, 96, 1), index, np.uint8)
        names = SmallNORB.tfds_labels
        yield index, {"image": image, **dict(zip(names, labels, strict=True))}


def test_a_set_of_tensorflow_datasets_fills_the_cache(tmp_path, monkeypatch):
  official_formats.shrink(monkeypatch)
  monkeypatch.setattr(SmallNORB, "tfds_name", "dtf_tiny_norb")
  load = tfds.load
  monkeypatch.setattr(
    tfds, "load", lambda name, **options: load(name, data_dir=tmp_path, **options)
  )
  data = SmallNORB(folder=tmp_path / "cache", source="tfds")
  expected = np.arange(len(data), dtype=np.uint8)[:, None, None, None]
  np.testing.assert_array_equal(
    data.images, np.broadcast_to(expected, (len(data), 64, 64, 1))
  )


def test_what_tensorflow_datasets_cannot_give_is_one_line(tmp_path, monkeypatch):
  def load(name, **options):
    raise ConnectionError("no network\nat all")

  monkeypatch.setattr(tfds, "load", load)
  with pytest.raises(UserError, match="smallnorb.*no network at all.*by hand"):
    SmallNORB(folder=tmp_path, source="tfds")


def _serve(monkeypatch, examples):
  """Make TensorFlow Datasets load these examples; list the requested (name, split)."""
  asked = []

  def load(name, *, split):
    asked.append((name, split))
    return tf.data.Dataset.from_tensor_slices(examples)

  monkeypatch.setattr(tfds, "load", load)
  return asked


def test_images_are_found_by_their_labels(monkeypatch):
  images = np.arange(6, dtype=np.uint8)[:, None, None, None]
  labels = {"x": [2, 1, 0, 2, 1, 0], "y": [1, 0, 1, 0, 1, 0]}
  asked = _serve(monkeypatch, {"image": images, **labels})
  space = FactorSpace("yx", (2, 3))
  blocks = list(tfds_blocks("some_set", ("y", "x"), space, split="test", block=4))
  assert asked == [("some_set", "test")]
  assert [len(index) for index, _ in blocks] == [4, 2]
  index, found = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
  assert index.tolist() == [5, 1, 3, 2, 4, 0]  # 3 y + x
  np.testing.assert_array_equal(found, images)


def test_without_labels_images_are_numbered(monkeypatch):
  asked = _serve(monkeypatch, {"image": np.zeros((5, 2, 2, 1), np.uint8)})
  blocks = list(tfds_blocks("some_set", (), FactorSpace(("image",), (5,)), block=2))
  assert [index.tolist() for index, _ in blocks] == [[0, 1], [2, 3], [4]]
  assert asked == [("some_set", "all")]

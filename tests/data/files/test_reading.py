"""Sets of TensorFlow Datasets as caches of this package."""

import zipfile

import numpy as np
import official_formats
import pytest
import tensorflow as tf
import tensorflow_datasets as tfds

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.files.reading import (
  check_array,
  opened_array,
  reading,
  resize,
  tfds_blocks,
)
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.errors import UserError

ROWS = np.arange(5 * 3 * 2, dtype=np.uint8).reshape(5, 3, 2)


def test_whatever_a_reader_raises_becomes_one_line():
  with pytest.raises(UserError) as raised, reading("some.file"):
    raise KeyError("two\nlines")
  message = str(raised.value)
  assert message.startswith("cannot read some.file: it is truncated or damaged")
  assert "\n" not in message


def test_errors_for_people_pass_as_they_are():
  with pytest.raises(UserError, match="^mine$"), reading("some.file"):
    raise UserError("mine")


def test_a_long_reason_is_cut():
  with pytest.raises(UserError) as raised, reading("some.file"):
    raise ValueError("x" * 1000)
  assert str(raised.value).count("x") == 200


def test_an_array_that_is_as_published_passes():
  check_array("f", "images", (5, 3), np.uint8, expected=[5, 3])
  check_array("f", "labels", [2], np.float64, expected=(2,), expected_dtype=np.float64)


@pytest.mark.parametrize(
  ("shape", "dtype", "part"),
  [
    ((5, 4), np.dtype("u1"), r"images is uint8 \(5, 4\), expected uint8 \(5, 3\)"),
    ((5, 3), np.dtype("f4"), r"images is float32 \(5, 3\), expected uint8 \(5, 3\)"),
  ],
)
def test_another_array_is_refused(shape, dtype, part):
  with pytest.raises(UserError, match=f"some.file is not the official file: {part}"):
    check_array("some.file", "images", shape, dtype, expected=(5, 3))


def test_rows_are_read_one_after_another(tmp_path):
  np.savez_compressed(tmp_path / "a.npz", images=ROWS, others=np.zeros(3))
  with opened_array(tmp_path / "a.npz", "images") as (shape, dtype, read):
    assert shape == (5, 3, 2) and dtype == np.uint8
    np.testing.assert_array_equal(read(2), ROWS[:2])
    np.testing.assert_array_equal(read(3), ROWS[2:])
    with pytest.raises(EOFError, match="ends too early"):
      read(1)


@pytest.mark.parametrize("array", [np.asfortranarray(ROWS), np.uint8(3)])
def test_an_array_that_has_no_rows_in_order_is_refused(array, tmp_path):
  np.savez(tmp_path / "a.npz", images=array)
  with (
    pytest.raises(UserError, match="not the official file: images is no plain array"),
    opened_array(tmp_path / "a.npz", "images"),
  ):
    pass


def test_an_archive_without_the_array_is_named(tmp_path):
  with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
    archive.writestr("notes.txt", "x")
  with (
    pytest.raises(UserError, match="cannot read .*a.npz.*images.npy"),
    opened_array(tmp_path / "a.npz", "images"),
  ):
    pass


def test_resizing_is_a_triangle_filter():
  rng = np.random.default_rng(0)
  images = rng.integers(256, size=(2, 8, 8, 3), dtype=np.uint8)
  weights = np.zeros((4, 8))  # 1, 3, 3, 1 around each new pixel, cut off at the borders
  for row in range(4):
    for offset, weight in zip(range(-1, 3), (1, 3, 3, 1), strict=True):
      if 0 <= 2 * row + offset < 8:
        weights[row, 2 * row + offset] = weight
  weights /= weights.sum(axis=1, keepdims=True)
  expected = np.einsum("ab,nbdc,ed->naec", weights, images, weights)
  assert np.abs(resize(images, 4) - expected).max() <= 1
  np.testing.assert_array_equal(
    resize(images[..., :1], 4)[..., 0], resize(images, 4)[..., 0]
  )


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

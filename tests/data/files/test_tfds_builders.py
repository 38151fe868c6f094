"""TensorFlow Datasets, both ways: our sets through it, and its sets as ours."""

import numpy as np
import official_formats
import pytest
import tensorflow_datasets as tfds
from shared_checks import tiny_data

from disentangle_tf.data.files import tfds_builders
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.errors import UserError


class DtfTinySquares(tfds_builders.GroundTruthBuilder):
  """16 images of 8x8x1."""

  def make_data(self):
    return tiny_data(num_squares=1)


def _load(name, folder):
  builder = tfds.builder(name, data_dir=folder)
  builder.download_and_prepare(
    download_config=tfds.download.DownloadConfig(try_download_gcs=False)
  )
  return list(tfds.as_numpy(tfds.load(name, split="train", data_dir=folder)))


def test_a_rendered_set_comes_in_index_order(tmp_path):
  examples = _load("dtf_tiny_squares", tmp_path)
  data = tiny_data(num_squares=1)
  factors = np.array([[e["label_x_R"], e["label_y_R"]] for e in examples])
  np.testing.assert_array_equal(factors, data.factors.to_factors(np.arange(16)))
  images = np.stack([e["image"] for e in examples])
  assert images.dtype == np.uint8
  np.testing.assert_array_equal(images, data.observe(factors) * 255)


def test_a_cached_set(tmp_path, monkeypatch):
  official_formats.shrink(monkeypatch)
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  images = official_formats.write(Cars3D, tmp_path / "cars3d")
  examples = _load("dtf_cars3d", tmp_path / "tfds")
  np.testing.assert_array_equal([e["image"] for e in examples], images)
  assert [int(e["label_object"]) for e in examples[:5]] == [0, 1, 2, 3, 0]


@pytest.mark.parametrize(
  ("name", "labels"),
  [
    ("dtf_xysquares", 6),
    ("dtf_cars3d", 3),
    ("dtf_mpi3d/toy", 7),
    ("dtf_mpi3d/real", 7),
  ],
)
def test_every_set_is_known_without_its_files(name, labels, tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path / "none"))
  features = tfds.builder(name, data_dir=tmp_path).info.features
  assert features["image"].shape == (64, 64, 3)
  assert len(features) == 1 + labels
  assert "dtf_dsprites" in tfds.list_builders()


class DtfTinyNorb(tfds.core.GeneratorBasedBuilder):
  """Laid out as smallnorb is in TensorFlow Datasets, in an order of its own."""

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

"""Sets of this package through TensorFlow Datasets."""

import numpy as np
import official_formats
import pytest
import tensorflow_datasets as tfds
from shared_checks import tiny_data

from disentangle_tf.data.files import tfds_builders
from disentangle_tf.data.sets.cars3d import Cars3D


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

"""The cache of sets that come as files; the tests in `sets` read their files."""

import shutil

import numpy as np
import official_formats
import pytest
import tensorflow as tf
from official_set_checks import raises_one_line, replace, truncate

from disentangle_tf import data as data_sets
from disentangle_tf.data.sets.mpi3d import MPI3D


def test_the_folder_is_the_sets_own_by_default(tiny, tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  official_formats.write(MPI3D, tmp_path / "mpi3d_real", version="real")
  data = MPI3D(version="real")
  assert data.name == "mpi3d_real" and data.folder is None
  assert data.files == [str(tmp_path / "mpi3d_real" / "images.npy")]
  assert (tmp_path / "mpi3d_real" / "images.npy").exists()


def test_gathers_within_a_tf_data_pipeline(tiny, tmp_path):
  images = official_formats.write(MPI3D, tmp_path)
  data = MPI3D(folder=tmp_path)
  batches = tf.data.Dataset.from_tensor_slices(data.factors.to_factors(np.arange(8)))
  batches = batches.batch(4, drop_remainder=True).map(data.observe)
  assert batches.element_spec.shape == (4, 64, 64, 3)
  np.testing.assert_allclose(np.concatenate(list(batches)), images[:8] / 255, atol=1e-6)


def test_a_strangers_manifest_names_no_source(tiny, tmp_path):
  official_formats.write(MPI3D, tmp_path / "official")
  data = MPI3D(folder=tmp_path / "cache", source=tmp_path / "official")
  config = data_sets.data_to_config(data)
  folder = str(tmp_path / "cache")
  assert config["arguments"] == {"version": "toy", "folder": folder}
  config["arguments"]["source"] = "tfds"
  raises_one_line(lambda: data_sets.data_from_config(config), "source")


@pytest.mark.parametrize(
  ("array", "part"),
  [
    (np.zeros((48, 64, 64, 1), np.uint8), "not a cache of mpi3d_toy"),
    (np.zeros((48, 64, 64, 3), np.float32), "not a cache of mpi3d_toy"),
    (np.zeros((47, 64, 64, 3), np.uint8), "holds 47 images, expected 48"),
  ],
)
def test_a_wrong_cache_is_refused(array, part, tiny, tmp_path):
  np.save(tmp_path / "images.npy", array)
  raises_one_line(lambda: MPI3D(folder=tmp_path), part, tmp_path / "images.npy")


@pytest.mark.parametrize("damage", [truncate, replace])
def test_a_damaged_cache_is_refused(damage, tiny, tmp_path):
  np.save(tmp_path / "images.npy", np.zeros((48, 64, 64, 3), np.uint8))
  damage(tmp_path / "images.npy")
  raises_one_line(lambda: MPI3D(folder=tmp_path), "cannot read", "images.npy")


def test_a_full_disk_is_noticed_beforehand(tiny, tmp_path, monkeypatch):
  official_formats.write(MPI3D, tmp_path)
  usage = shutil.disk_usage(tmp_path)._replace(free=1000)
  monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
  raises_one_line(lambda: MPI3D(folder=tmp_path), "GB", "make room")


def test_measured_standardisation_is_kept_beside_the_cache(tiny, tmp_path):
  images = official_formats.write(MPI3D, tmp_path) / 255
  mean, std = MPI3D(folder=tmp_path).standardisation()
  np.testing.assert_allclose(mean, images.mean(axis=(0, 1, 2)), rtol=1e-6)
  pixels = images.reshape(len(images), -1, 3)
  np.testing.assert_allclose(std, pixels.std(axis=1, ddof=1).mean(axis=0), rtol=1e-6)
  (tmp_path / "standardisation.json").write_text(
    '{"mean": [1, 2, 3], "std": [4, 5, 6]}'
  )
  assert MPI3D(folder=tmp_path).standardisation() == ((1, 2, 3), (4, 5, 6))

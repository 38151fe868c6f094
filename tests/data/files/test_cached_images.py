"""The sets that are read from official files."""

import gzip
import shutil

import h5py
import numpy as np
import official_formats
import pytest
import tensorflow as tf
from shared_checks import run_dataset_test

from disentangle_tf import data as data_sets
from disentangle_tf.data.files.official_files import files_of
from disentangle_tf.data.files.official_reading import resize
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import (
  SmallNORB,
  read_factors,
  read_left_images,
)
from disentangle_tf.errors import UserError

SETS = tuple(official_formats.SIZES)


@pytest.fixture
def tiny(monkeypatch):
  """The sets expect their tiny versions."""
  official_formats.shrink(monkeypatch)


@pytest.mark.parametrize("cached", SETS)
def test_every_image_is_found_by_its_factors(cached, tiny, tmp_path):
  images = official_formats.write(cached, tmp_path)
  data = cached(folder=tmp_path)
  assert data.factors.sizes == official_formats.SIZES[cached]
  points = data.factors.to_factors(np.arange(len(data)))
  np.testing.assert_allclose(data.observe(points), images / 255, atol=1e-6)
  run_dataset_test(data)


@pytest.mark.parametrize("cached", SETS)
def test_the_cache_is_mapped_and_made_once(cached, tiny, tmp_path, monkeypatch):
  images = official_formats.write(cached, tmp_path / "official")
  data = cached(folder=tmp_path / "cache", source=tmp_path / "official")
  assert isinstance(data.images, np.memmap) and data.images.mode == "r"
  assert [path.name for path in (tmp_path / "cache").iterdir()] == ["images.npy"]
  shutil.rmtree(tmp_path / "official")
  again = cached(folder=tmp_path / "cache")
  np.testing.assert_array_equal(again.images, images)


def test_the_folder_is_the_sets_own_by_default(tiny, tmp_path, monkeypatch):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path))
  official_formats.write(MPI3D, tmp_path / "mpi3d_real", version="real")
  data = MPI3D(version="real")
  assert data.name == "mpi3d_real" and data.folder is None
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
  _raises_one_line(lambda: data_sets.data_from_config(config), "source")


@pytest.mark.parametrize(
  ("cached", "num_images", "shape"),
  [
    (Shapes3D, 480_000, (64, 64, 3)),
    (Cars3D, 17_568, (64, 64, 3)),
    (SmallNORB, 48_600, (64, 64, 1)),
    (MPI3D, 1_036_800, (64, 64, 3)),
  ],
)
def test_the_real_sets_are_as_published(cached, num_images, shape):
  assert np.prod(cached.grids[0]) == num_images
  assert len(cached.factor_names) == len(cached.grids[0])
  assert cached.observation_shape == shape


def test_mpi3d_tells_its_releases_apart_by_their_number_of_images(
  tmp_path, monkeypatch
):
  monkeypatch.setattr(MPI3D, "grids", ((3, 3, 1, 1, 1, 1, 1), (2, 2, 1, 1, 1, 1, 1)))
  for version, count, colours in (("toy", 4, 2), ("real", 9, 3)):
    images = np.zeros((count, 64, 64, 3), np.uint8)
    official_formats.write_mpi3d(tmp_path, version=version, images=images)
    data = MPI3D(version=version, folder=tmp_path / version, source=tmp_path)
    assert data.factors.sizes[:2] == (colours, colours)


def test_smallnorb_may_be_unpacked(tiny, tmp_path):
  images = official_formats.write(SmallNORB, tmp_path, packed=False)
  np.testing.assert_array_equal(SmallNORB(folder=tmp_path).images, images)


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


def _raises_one_line(make, *parts):
  with pytest.raises(UserError) as raised:
    make()
  message = str(raised.value)
  assert "\n" not in message
  for part in parts:
    assert str(part) in message


@pytest.mark.parametrize(
  ("cached", "options", "name", "file"),
  [
    (Shapes3D, {}, "shapes3d", "3dshapes.h5"),
    (Cars3D, {}, "cars3d", "cars/*.mat"),
    (SmallNORB, {}, "smallnorb", "training-dat.mat.gz"),
    (MPI3D, {"version": "toy"}, "mpi3d_toy", "mpi3d_toy.npz"),
    (MPI3D, {"version": "realistic"}, "mpi3d_realistic", "mpi3d_realistic.npz"),
    (MPI3D, {"version": "real"}, "mpi3d_real", "mpi3d_real.npz"),
  ],
)
def test_a_missing_file_is_named_with_the_command_to_run(
  cached, options, name, file, tmp_path, monkeypatch
):
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path / "none"))
  _raises_one_line(
    lambda: cached(**options),
    f"{name}: there is no",
    file,
    tmp_path / "none" / name,
    f"python bin/prepare_data.py prepare {name}",
  )
  assert not (tmp_path / "none").exists()


def _truncate(path):
  path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _scramble(path):
  content = bytearray(path.read_bytes())
  middle = len(content) // 2
  content[middle : middle + 64] = bytes(255 - byte for byte in content[middle:][:64])
  path.write_bytes(content)


def _replace(path):
  path.write_bytes(b"<html>404 not found</html>")


@pytest.mark.parametrize(
  ("cached", "file"),
  [
    (Shapes3D, "3dshapes.h5"),
    (Cars3D, "cars/car_002_mesh.mat"),
    (SmallNORB, "smallnorb-5x01235x9x18x6x2x96x96-testing-dat.mat.gz"),
    (SmallNORB, "smallnorb-5x46789x9x18x6x2x96x96-training-info.mat.gz"),
    (MPI3D, "mpi3d_toy.npz"),
  ],
)
@pytest.mark.parametrize("damage", [_truncate, _scramble, _replace])
def test_a_damaged_file_is_named(cached, file, damage, tiny, tmp_path):
  official_formats.write(cached, tmp_path)
  damage(tmp_path / file)
  _raises_one_line(
    lambda: cached(folder=tmp_path), "cannot read", tmp_path / file, "fetch it again"
  )
  assert not list(tmp_path.glob("*images.npy*"))


def _no_images(folder):
  with h5py.File(folder / "3dshapes.h5", "w") as file:
    file["pictures"] = np.zeros(3)


def _wrong_order(folder):
  count = official_formats.space_of(Shapes3D).num_points
  labels = np.random.default_rng(0).uniform(size=(count, 6))
  official_formats.write_shapes3d(folder, labels=labels)


def _wrong_dtype(folder):
  count = official_formats.space_of(Shapes3D).num_points
  images = np.zeros((count, 64, 64, 3), np.float32)
  official_formats.write_shapes3d(folder, images=images)


def _wrong_shape(folder):
  images = np.zeros((48, 32, 32, 3), np.uint8)
  official_formats.write_mpi3d(folder, images=images)


def _wrong_count(folder):
  images = np.zeros((5, 64, 64, 3), np.uint8)
  official_formats.write_mpi3d(folder, images=images)


def _no_cars_key(folder):
  official_formats.write_cars3d(folder, key="mask")


def _small_cars(folder):
  official_formats.write_cars3d(folder, side=16)


def _lost_car(folder):
  official_formats.write_cars3d(folder)
  (folder / "cars" / "car_001_mesh.mat").unlink()


def _same_toy_twice(folder):
  official_formats.write_small_norb(folder)
  _change_information(folder, lambda information: information * (0, 1, 1, 1))


def _toy_beyond_the_grid(folder):
  official_formats.write_small_norb(folder)
  _change_information(folder, lambda information: information + 100)


def _too_few_toys(folder):
  official_formats.write_small_norb(folder)
  _change_information(folder, lambda information: information[1:])


def _no_matrix(folder):
  official_formats.write_small_norb(folder)
  _training_information(folder).write_bytes(gzip.compress(bytes(100)))


def _training_information(folder):
  return next(folder.glob("*training-info*"))


def _change_information(folder, change):
  path = _training_information(folder)
  information = np.frombuffer(gzip.decompress(path.read_bytes()), "<i4")[5:].reshape(
    -1, 4
  )
  official_formats.write_matrix(path, change(information))


@pytest.mark.parametrize(
  ("cached", "write", "parts"),
  [
    (Shapes3D, _no_images, ["cannot read", "3dshapes.h5", "images"]),
    (Shapes3D, _wrong_order, ["not the official file", "labels of floor_hue"]),
    (Shapes3D, _wrong_dtype, ["not the official file", "float32"]),
    (MPI3D, _wrong_shape, ["not the official file", "32"]),
    (MPI3D, _wrong_count, ["mpi3d_toy.npz holds 5 images, expected 48"]),
    (Cars3D, _no_cars_key, ["cannot read", "car_000_mesh.mat", "im"]),
    (Cars3D, _small_cars, ["not the official file", "(16, 16, 3, 3, 2)"]),
    (Cars3D, _lost_car, ["holds 3 .mat files, expected 4"]),
    (SmallNORB, _same_toy_twice, ["combinations of factors have no image"]),
    (SmallNORB, _toy_beyond_the_grid, ["training-info", "leave the grid"]),
    (SmallNORB, _too_few_toys, ["training-info", "not the official file"]),
    (SmallNORB, _no_matrix, ["training-info", "no binary matrix"]),
  ],
)
def test_a_file_that_is_not_the_official_one_is_named(
  cached, write, parts, tiny, tmp_path
):
  write(tmp_path)
  _raises_one_line(lambda: cached(folder=tmp_path), *parts)
  assert not list(tmp_path.glob("*images.npy*"))


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
  _raises_one_line(lambda: MPI3D(folder=tmp_path), part, tmp_path / "images.npy")


@pytest.mark.parametrize("damage", [_truncate, _replace])
def test_a_damaged_cache_is_refused(damage, tiny, tmp_path):
  np.save(tmp_path / "images.npy", np.zeros((48, 64, 64, 3), np.uint8))
  damage(tmp_path / "images.npy")
  _raises_one_line(lambda: MPI3D(folder=tmp_path), "cannot read", "images.npy")


def test_a_full_disk_is_noticed_beforehand(tiny, tmp_path, monkeypatch):
  official_formats.write(MPI3D, tmp_path)
  usage = shutil.disk_usage(tmp_path)._replace(free=1000)
  monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
  _raises_one_line(lambda: MPI3D(folder=tmp_path), "GB", "make room")


def test_mistaken_options_are_named(tmp_path):
  _raises_one_line(lambda: MPI3D(version="reel"), "version", "'reel'")
  _raises_one_line(
    lambda: Cars3D(folder=tmp_path, source="tfds"), "not in TensorFlow Datasets"
  )


def test_the_official_shapes3d_format(golden_folder, tmp_path):
  folder = golden_folder / "tensorflow_datasets" / "shapes3d" / "dummy_data"
  _raises_one_line(
    lambda: Shapes3D(folder=tmp_path, source=folder),
    "images is uint8 (5, 64, 64, 3), expected uint8 (480000, 64, 64, 3)",
  )


def test_the_official_smallnorb_format(golden_folder):
  folder = golden_folder / "tensorflow_datasets" / "smallnorb" / "dummy_data"
  photographs, categories, information = (
    folder / file.unpacked for file in files_of("smallnorb")[:3]
  )
  factors = read_factors(categories, information)
  np.testing.assert_array_equal(
    factors,
    [[0, 1, 8, 4, 0], [0, 1, 1, 11, 2], [2, 2, 0, 16, 2], [1, 1, 4, 13, 5]]
    + [[2, 0, 5, 4, 1]],
  )
  ((start, images),) = read_left_images(photographs, 5, 96)
  assert start == 0 and images.shape == (5, 96, 96, 1)
  assert images[0, 0, :4, 0].tolist() == [0xAC, 0x2F, 0x75, 0xC0]


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


def test_published_standardisation_has_a_value_a_channel():
  for cached in (Shapes3D, Cars3D, SmallNORB):
    mean, std = cached.published_standardisation
    assert len(mean) == len(std) == cached.observation_shape[-1]

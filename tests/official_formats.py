"""Tiny data sets in the formats of the official files, and a folder for them."""

import dataclasses
import gzip

import h5py
import numpy as np
import scipy.io

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.files import official_files
from disentangle_tf.data.files.official_files import files_of
from disentangle_tf.data.sets import images_without_factors
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.images_without_factors import FashionMNIST
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB

SIZES = {
  Shapes3D: (2, 3, 1, 2, 2, 3),
  Cars3D: (2, 3, 4),
  SmallNORB: (2, 4, 2, 3, 2),
  MPI3D: (2, 2, 1, 3, 1, 2, 2),
}
NUM_TFDS_IMAGES = 12


def shrink(monkeypatch):
  """Makes the classes expect the tiny sets."""
  for cached, sizes in SIZES.items():
    monkeypatch.setattr(cached, "grids", (sizes,))


def use_empty_home(home, monkeypatch):
  """Makes `home` the data folder, and accepts the hashes of the tiny sets."""
  shrink(monkeypatch)
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(home))
  unhashed = tuple(
    dataclasses.replace(file, size=None, sha256=None)
    for file in official_files.OFFICIAL_FILES
  )
  monkeypatch.setattr(official_files, "OFFICIAL_FILES", unhashed)


def use_tiny_tfds(monkeypatch, *, split="all"):
  """CelebA and Fashion-MNIST get a few images, made up by TFDS in their shapes."""
  import tensorflow_datasets as tfds  # here, because few need it and it takes a while

  def load_a_few(name, *, split):
    assert split == wanted
    with tfds.testing.mock_data(num_examples=NUM_TFDS_IMAGES):
      return tfds.builder(name).as_dataset(split="train")

  wanted = split
  monkeypatch.setitem(images_without_factors._SPLITS, split, NUM_TFDS_IMAGES)
  monkeypatch.setattr(FashionMNIST, "grids", ((NUM_TFDS_IMAGES,),))
  monkeypatch.setattr(tfds, "load", load_a_few)


def space_of(cached):
  return FactorSpace(cached.factor_names, SIZES[cached])


def write(cached, folder, **options):
  """Writes the tiny set; returns its images in index order, uint8 at 64x64."""
  folder.mkdir(parents=True, exist_ok=True)
  writers = {
    Shapes3D: write_shapes3d,
    Cars3D: write_cars3d,
    SmallNORB: write_small_norb,
    MPI3D: write_mpi3d,
  }
  return writers[cached](folder, **options)


def write_shapes3d(folder, *, images=None, labels=None):
  space = space_of(Shapes3D)
  images = _noise(space.num_points) if images is None else images
  values = [np.linspace(-30, 30, size) for size in space.sizes]
  if labels is None:
    points = space.to_factors(np.arange(space.num_points))
    labels = np.stack([v[points[:, i]] for i, v in enumerate(values)], axis=-1)
  with h5py.File(folder / "3dshapes.h5", "w") as file:
    file.create_dataset("images", data=images, chunks=True, compression="gzip")
    file.create_dataset("labels", data=labels)
  return images


def write_cars3d(folder, *, side=128, key="im"):
  """Each image is of one colour, so that resizing changes nothing."""
  space = space_of(Cars3D)
  elevations, azimuths, cars = space.sizes
  colours = _colours(space.num_points, 3).reshape(elevations, azimuths, cars, 3)
  (folder / "cars").mkdir()
  (folder / "cars" / "list.txt").write_text("car_001_mesh\n")
  for car in reversed(range(cars)):
    views = colours[:, :, car].transpose(2, 1, 0)  # [3, azimuths, elevations]
    images = np.broadcast_to(views, (side, side, *views.shape))
    path = folder / "cars" / f"car_{car:03}_mesh.mat"
    scipy.io.savemat(path, {key: images}, do_compression=True)
  return np.broadcast_to(
    colours.reshape(-1, 1, 1, 3), (space.num_points, 64, 64, 3)
  ).copy()


def write_small_norb(folder, *, packed=True):
  """Rows in random order; instances 1, 3 for training, 0, 2 for testing."""
  space = space_of(SmallNORB)
  points = space.to_factors(np.arange(space.num_points))
  colours = _colours(space.num_points, 1)[:, 0]
  files = [file.name for file in files_of("smallnorb")]
  for part in range(2):
    rows = np.flatnonzero(points[:, 1] % 2 != part)
    rows = np.random.default_rng(part).permutation(rows)
    left = np.broadcast_to(colours[rows, None, None], (len(rows), 96, 96))
    category, information = points[rows, 0], points[rows, 1:] * (1, 1, 2, 1)
    matrices = (np.stack([left, 255 - left], axis=1), category, information)
    for name, matrix in zip(files[3 * part :], matrices, strict=False):
      write_matrix(folder / (name if packed else name[:-3]), matrix)
  return np.broadcast_to(
    colours[:, None, None, None], (space.num_points, 64, 64, 1)
  ).copy()


def write_matrix(path, matrix):
  """The binary matrix format of the NORB sets."""
  matrix = matrix if matrix.dtype == np.uint8 else matrix.astype("<i4")
  magic = 0x1E3D4C55 if matrix.dtype == np.uint8 else 0x1E3D4C54
  sizes = [*matrix.shape, 1, 1][: max(3, matrix.ndim)]
  header = np.array([magic, matrix.ndim, *sizes], "<i4")
  with (gzip.open if path.suffix == ".gz" else open)(path, "wb") as file:
    file.write(header.tobytes() + matrix.tobytes())


def write_mpi3d(folder, *, version="toy", images=None):
  images = _noise(space_of(MPI3D).num_points) if images is None else images
  np.savez(folder / f"mpi3d_{version}.npz", images=images)
  return images


def _noise(count):
  rng = np.random.default_rng(0)
  return rng.integers(256, size=(count, 64, 64, 3), dtype=np.uint8)


def _colours(count, channels):
  rng = np.random.default_rng(1)
  return rng.integers(256, size=(count, channels), dtype=np.uint8)

"""3D Shapes: a shape in a room.

Burgess & Kim 2018, "3D Shapes Dataset", https://github.com/deepmind/3dshapes-dataset.
"""

import pathlib
from collections.abc import Iterator

import h5py
import numpy as np

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.files.cached_images import CachedImages
from disentangle_tf.data.files.reading import check_array, reading
from disentangle_tf.errors import UserError


class Shapes3D(CachedImages):
  """480,000 images of 64x64x3: a shape in a room with coloured floor and walls.

  Read from `3dshapes.h5`, whose order is the index order.
  `bin/prepare_data.py prepare shapes3d` downloads it.

  Args:
    folder: folder of the cache; by default a folder in `DISENTANGLE_TF_DATA`.
    source: folder of the official files, if it is another one, or "tfds" to read the
      set through TensorFlow Datasets. Used only to make the cache.

  Example:
    >>> from disentangle_tf import data
    >>> data.Shapes3D.grids
    ((10, 10, 10, 8, 4, 15),)
    >>> images = data.Shapes3D().observe([[0, 5, 9, 7, 2, 14]])  # doctest: +SKIP
  """

  name = "shapes3d"
  factor_names = (
    "floor_hue",
    "wall_hue",
    "object_hue",
    "scale",
    "shape",
    "orientation",
  )
  grids = ((10, 10, 10, 8, 4, 15),)
  observation_shape = (64, 64, 3)
  published_standardisation = (
    (0.502584966788819, 0.578759756608967, 0.603449973185958),
    (0.294081404355556, 0.344397908751721, 0.366168598152475),
  )
  tfds_name = "shapes3d"
  tfds_labels = tuple(f"label_{name}" for name in factor_names)

  def blocks(
    self, files: list[pathlib.Path], space: FactorSpace
  ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    (path,) = files
    with reading(path), h5py.File(path, "r") as file:
      images, labels = _dataset(file, "images"), _dataset(file, "labels")
      expected = (space.num_points, *self.observation_shape)
      check_array(path, "images", images.shape, images.dtype, expected=expected)
      check_array(
        path,
        "labels",
        labels.shape,
        labels.dtype,
        expected=(space.num_points, len(space)),
        expected_dtype=np.float64,
      )
      _check_order(path, labels[:], space)
      # A chunk spans many images, so read whole chunks, within bounds.
      step = int(np.clip(images.chunks[0] if images.chunks else 0, 1024, 16384))
      for start in range(0, len(images), step):
        block = images[start : start + step]
        yield np.arange(start, start + len(block)), block


def _dataset(file: h5py.File, name: str) -> h5py.Dataset:
  found = file[name]
  if not isinstance(found, h5py.Dataset):
    raise TypeError(f"{name} is no array")
  return found


def _check_order(path: pathlib.Path, labels: np.ndarray, space: FactorSpace) -> None:
  """Check that the labels are in grid order; they are values, numbered ascending."""
  expected = space.to_factors(np.arange(space.num_points))
  for column, name in enumerate(space.names):
    _, classes = np.unique(labels[:, column], return_inverse=True)
    if not np.array_equal(classes, expected[:, column]):
      raise UserError(
        f"{path} is not the official file: its labels of {name} are not in grid order"
      )

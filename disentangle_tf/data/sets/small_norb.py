"""SmallNORB: toys photographed under many lights and angles.

LeCun, Huang & Bottou 2004, "Learning Methods for Generic Object Recognition with
Invariance to Pose and Lighting", https://cs.nyu.edu/~ylclab/data/norb-v1.0-small.
"""

import contextlib
import gzip
import io
import math
import pathlib
from collections.abc import Iterator

import numpy as np

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.files.cached_images import CachedImages
from disentangle_tf.data.files.reading import check_array, reading, resize
from disentangle_tf.errors import UserError

_DTYPES = {0x1E3D4C55: np.dtype("u1"), 0x1E3D4C54: np.dtype("<i4")}
_BLOCK = 1024


class SmallNORB(CachedImages):
  """48,600 grey images of 64x64: fifty toys in five categories.

  Read from the six official files, gzipped or not. The training files and the test
  files hold five instances of each category; together they make the grid. The images
  are those of the left camera, which have 96 px in the files. Rotations are 20 degrees
  apart. `bin/prepare_data.py prepare smallnorb` downloads the files.

  Args:
    folder: folder of the cache; by default a folder in `DISENTANGLE_TF_DATA`.
    source: folder of the official files, if it is another one, or "tfds" to read the
      set through TensorFlow Datasets. Used only to make the cache.

  Example:
    >>> from disentangle_tf import data
    >>> data.SmallNORB.grids
    ((5, 10, 9, 18, 6),)
    >>> images = data.SmallNORB().observe([[4, 9, 8, 17, 5]])  # doctest: +SKIP
  """

  name = "smallnorb"
  factor_names = ("category", "instance", "elevation", "rotation", "lighting")
  grids = ((5, 10, 9, 18, 6),)
  observation_shape = (64, 64, 1)
  published_standardisation = ((0.752091840108860,), (0.095638790168273,))
  side_of_file = 96
  tfds_name = "smallnorb"
  tfds_labels = (
    "label_category",
    "instance",
    "label_elevation",
    "label_azimuth",
    "label_lighting",
  )

  def blocks(
    self, files: list[pathlib.Path], space: FactorSpace
  ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for first in (0, 3):  # training, testing
      photographs, categories, information = files[first : first + 3]
      factors = read_factors(categories, information)
      index = _index(information, factors, space)
      for start, images in read_left_images(
        photographs, len(factors), self.side_of_file
      ):
        yield index[start : start + len(images)], self.prepare_images(images)

  def prepare_images(self, images: np.ndarray) -> np.ndarray:
    return resize(images, self.observation_shape[0])


def read_factors(categories: pathlib.Path, information: pathlib.Path) -> np.ndarray:
  """Read the factors [N, 5] of the images from their cat and info files."""
  category, others = _read_matrix(categories), _read_matrix(information)
  for path, matrix, expected in (
    (categories, category, (len(category),)),
    (information, others, (len(category), 4)),
  ):
    check_array(
      path,
      "the matrix",
      matrix.shape,
      matrix.dtype,
      expected=expected,
      expected_dtype=np.int32,
    )
  factors = np.column_stack([category, others])
  factors[:, 3] //= 2  # azimuths are 0, 2, ... 34
  return factors


def read_left_images(
  path: pathlib.Path, num_images: int, side: int
) -> Iterator[tuple[int, np.ndarray]]:
  """Yield (position, uint8 images [n, side, side, 1]) of the left camera."""
  with _opened(path) as file:
    shape, dtype = _read_header(file)
    expected = (num_images, 2, side, side)
    check_array(path, "the matrix", shape, dtype, expected=expected)
    for start in range(0, num_images, _BLOCK):
      count = min(_BLOCK, num_images - start)
      pairs = _read(file, (count, *shape[1:]), dtype)
      yield start, pairs[:, 0, :, :, None]
    _check_end(file)


def _index(path: pathlib.Path, factors: np.ndarray, space: FactorSpace) -> np.ndarray:
  if np.any(factors < 0) or np.any(factors >= space.sizes):
    raise UserError(f"{path} is not the official file: its factors leave the grid")
  return space.to_index(factors)


@contextlib.contextmanager
def _opened(path: pathlib.Path) -> Iterator[io.BufferedIOBase]:
  """Open a file of the set, gzipped or not, and explain errors while it is open."""
  opener = gzip.open if path.suffix == ".gz" else open
  with reading(path), opener(path, "rb") as file:
    yield file


def _read_matrix(path: pathlib.Path) -> np.ndarray:
  with _opened(path) as file:
    matrix = _read(file, *_read_header(file))
    _check_end(file)
  return matrix


def _read_header(file: io.BufferedIOBase) -> tuple[tuple[int, ...], np.dtype]:
  """Read shape and dtype: magic number, number of dimensions, three or more sizes."""
  magic, dimensions = _read(file, (2,), np.dtype("<i4")).tolist()
  if magic not in _DTYPES or not 1 <= dimensions <= 4:
    raise ValueError("no binary matrix starts like this")
  sizes = _read(file, (max(3, dimensions),), np.dtype("<i4"))
  return tuple(sizes[:dimensions].tolist()), _DTYPES[magic]


def _read(
  file: io.BufferedIOBase, shape: tuple[int, ...], dtype: np.dtype
) -> np.ndarray:
  size = math.prod(shape) * dtype.itemsize
  content = file.read(size)
  if len(content) < size:
    raise EOFError("it ends too early")
  return np.frombuffer(content, dtype).reshape(shape)


def _check_end(file: io.BufferedIOBase) -> None:
  """Check that the file ends here; reading on also makes gzip check its checksum."""
  if file.read(1):
    raise ValueError("it is longer than its header says")

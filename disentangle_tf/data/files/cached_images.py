"""Base class of the sets that come as files: `CachedImages`."""

import json
import math
import mmap
import os
import pathlib
import shutil
from collections.abc import Iterable, Iterator
from typing import Self, cast

import numpy as np
import tensorflow as tf
import tqdm

from disentangle_tf import output_files
from disentangle_tf.data.factor_space import FactorSpace, grid_index
from disentangle_tf.data.fetched_data import FetchedData, pixels_of_bytes
from disentangle_tf.data.files.official_files import OfficialFile, data_folder, files_of
from disentangle_tf.data.files.reading import reading, tfds_blocks
from disentangle_tf.data.ground_truth_data import (
  MeanAndStd,
)
from disentangle_tf.errors import UserError

CACHE_NAME = "images.npy"
TFDS = "tfds"  # the source that means TensorFlow Datasets


class CachedImages(FetchedData):
  """Images of a finite set in index order, cached as one uint8 array on disk.

  The cache, `images.npy` [N, H, W, C], is made from the official files when the set is
  first opened. It is mapped into memory, so opening it takes neither time nor memory.

  A subclass sets the attributes and defines `blocks`. It also defines `find_files` and
  `count_images` if the defaults do not fit.

  Args:
    folder: folder of the cache; None means NAME in `data_folder()`.
    source: folder of the official files, if it is another one. "tfds" reads the set
      through TensorFlow Datasets, which downloads it. Used only to make the cache.

  Attributes:
    factor_names: a name for each factor.
    grids: the sizes of the factors, for each release of the set. The number of images
      distinguishes the releases.
    tfds_name: name of the set in TensorFlow Datasets, if it is there.
    tfds_labels: its features that hold the factors, in order.
    tfds_split: the split of it that makes up the set.
    published_standardisation: (mean, std) of Table A2 in Michlo et al. 2023, or None.
    images: the cache, a `numpy.memmap`.
  """

  factor_names: tuple[str, ...]
  grids: tuple[tuple[int, ...], ...]
  tfds_name: str | None = None
  tfds_labels: tuple[str, ...] = ()
  tfds_split = "all"
  published_standardisation: MeanAndStd | None = None

  def __init__(
    self,
    *,
    folder: str | os.PathLike | None = None,
    source: str | os.PathLike | None = None,
  ) -> None:
    self.folder = None if folder is None else os.fspath(folder)
    self.source = None if source is None else os.fspath(source)
    home = data_folder() / self.name if folder is None else pathlib.Path(folder)
    cache = home / CACHE_NAME
    if not cache.exists():
      self._make_cache(cache)
    self.images = self._open_cache(cache)
    self.factors = self._space(len(self.images), cache)

  def fetch(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    del seed
    index = grid_index(self.factors, factors)
    images = tf.numpy_function(self._gather, [index], tf.uint8, stateful=False)
    images.set_shape([*index.shape, *self.observation_shape])
    return images

  def to_images(self, fetched: tf.Tensor) -> tf.Tensor:
    return pixels_of_bytes(fetched)

  def get_config(self) -> dict:
    """Return the init arguments without the source, which only fits this machine."""
    arguments = super().get_config()
    arguments.pop("source", None)
    return arguments

  @classmethod
  def from_config(cls, config: dict) -> Self:
    if "source" in config:  # a foreign manifest must not start a download
      raise TypeError("it names a source")
    return super().from_config(config)

  @property
  def files(self) -> list[str]:
    """The path of the cache."""
    return [os.path.abspath(self._cache)]

  def standardisation(self) -> MeanAndStd:
    """Return the published constants, or measured ones, stored beside the cache."""
    if self.published_standardisation is not None:
      return self.published_standardisation
    kept = self._cache.with_name("standardisation.json")
    if not kept.exists():
      mean, std = super().standardisation()
      output_files.write_json(kept, {"mean": mean, "std": std})
    content = json.loads(kept.read_text(encoding="utf-8"))
    return tuple(content["mean"]), tuple(content["std"])

  def blocks(
    self, files: list[pathlib.Path], space: FactorSpace
  ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (index [n], uint8 images [n, H, W, C]) for all images.

    Args:
      files: the result of `find_files`.
      space: the `FactorSpace` that defines the index.
    """
    del files, space
    raise UserError(
      f'{self.name} is read through TensorFlow Datasets only: set source to "{TFDS}"'
    )

  def find_files(self, source: pathlib.Path) -> list[pathlib.Path]:
    """Find the official files in the folder `source`, unpacked or not."""
    return [self._find(source, file) for file in files_of(self.name)]

  def count_images(self, files: list[pathlib.Path]) -> int:
    """Count the images in `files`."""
    del files
    return math.prod(self.grids[0])

  def prepare_images(self, images: np.ndarray) -> np.ndarray:
    """Convert images of TensorFlow Datasets to the images of `blocks`."""
    return images

  def missing(self, file: str, source: pathlib.Path) -> UserError:
    """Make the error for an official `file` that is not in `source`."""
    return UserError(
      f"{self.name}: there is no {file} in {source}: run python bin/prepare_data.py "
      f"prepare {self.name} (with --from FOLDER if you have the files)"
    )

  @property
  def _cache(self) -> pathlib.Path:
    return pathlib.Path(cast("str", self.images.filename))

  def _find(self, source: pathlib.Path, file: OfficialFile) -> pathlib.Path:
    for name in (file.name, file.unpacked):
      if name and (source / name).is_file():
        return source / name
    raise self.missing(file.name, source)

  def _gather(self, index: np.ndarray) -> np.ndarray:
    return self.images.take(index, axis=0)

  def _space(self, num_images: int, place: str | pathlib.Path) -> FactorSpace:
    for sizes in self.grids:
      if math.prod(sizes) == num_images:
        return FactorSpace(self.factor_names, sizes)
    expected = " or ".join(f"{math.prod(sizes):,}" for sizes in self.grids)
    raise UserError(f"{place} holds {num_images:,} images, expected {expected}")

  def _open_cache(self, cache: pathlib.Path) -> np.memmap:
    with reading(cache):
      images = np.load(cache, mmap_mode="r")
      shape, dtype = images.shape, images.dtype
    if dtype != np.uint8 or shape[1:] != tuple(self.observation_shape):
      raise UserError(
        f"{cache} is not a cache of {self.name}: it is {dtype} {shape}; "
        f"move it away and run python bin/prepare_data.py prepare {self.name}"
      )
    # Batches access images at random: reading ahead makes a cold cache far slower.
    images.base.madvise(mmap.MADV_RANDOM)
    return images

  def _make_cache(self, cache: pathlib.Path) -> None:
    if self.source == TFDS:
      if self.tfds_name is None:
        raise UserError(f"{self.name} is not in TensorFlow Datasets: name a folder")
      space = self._space(math.prod(self.grids[0]), TFDS)
      found = tfds_blocks(
        self.tfds_name, self.tfds_labels, space, split=self.tfds_split
      )
      blocks = ((index, self.prepare_images(images)) for index, images in found)
    else:
      source = pathlib.Path(self.source) if self.source else cache.parent
      files = self.find_files(source)
      space = self._space(self.count_images(files), files[0])
      blocks = self.blocks(files, space)
    self._write_blocks(cache, space.num_points, blocks)

  def _write_blocks(
    self,
    cache: pathlib.Path,
    num_images: int,
    blocks: Iterable[tuple[np.ndarray, np.ndarray]],
  ) -> None:
    shape = (num_images, *self.observation_shape)
    _make_folder(cache.parent, math.prod(shape))
    times = np.zeros(num_images, np.int32)
    bar = tqdm.tqdm(
      total=num_images, desc=f"preparing {self.name}", unit="image", disable=None
    )
    with output_files.whole_file(cache) as temporary, bar:
      _create(temporary, shape)
      for index, images in blocks:
        # Mapped again for each block, so that written pages do not stay in memory.
        np.load(temporary, mmap_mode="r+")[index] = images
        np.add.at(times, index, 1)
        bar.update(len(images))
      if not np.all(times == 1):
        raise UserError(
          f"{self.name}: {np.sum(times == 0):,} combinations of factors have no image "
          f"and {np.sum(times > 1):,} have several: the files are not the official ones"
        )


def _make_folder(folder: pathlib.Path, size: int) -> None:
  """Make the folder and check its disk; a full disk would kill the process."""
  try:
    folder.mkdir(parents=True, exist_ok=True)
  except OSError as error:
    raise UserError(f"cannot make the folder {folder}: {error.strerror}") from error
  free = shutil.disk_usage(folder).free
  if free < size:
    raise UserError(
      f"the cache in {folder} needs {size / 1e9:.1f} GB, and {free / 1e9:.1f} GB are "
      "free: make room, or set DISENTANGLE_TF_DATA to another folder"
    )


def _create(path: pathlib.Path, shape: tuple[int, ...]) -> None:
  try:
    np.lib.format.open_memmap(path, "w+", np.uint8, shape)
  except OSError as error:
    raise UserError(
      f"cannot write to {path.parent}: {error.strerror}; set DISENTANGLE_TF_DATA to "
      "another folder"
    ) from error

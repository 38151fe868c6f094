"""A user's own images and factors: `FactorTable`."""

import os
from collections.abc import Sequence
from typing import Self, cast

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from disentangle_tf.arguments import check_choice
from disentangle_tf.data.factor_space import covered_space, grid_index
from disentangle_tf.data.fetched_data import FetchedData, pixels_of_bytes
from disentangle_tf.data.ground_truth_data import (
  ListedImages,
  observation_seed,
)
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import sha256_file
from disentangle_tf.random_streams import random_integers

_LAYOUTS = ("NHWC", "NCHW")
_MOST_COLOURS = 4  # channels of an image with transparency


class FactorTable(FetchedData):
  """Your own images, each with a value of every factor.

  The factors need not form a whole grid. If several images share all factors, each
  observation draws one of them. `from_npz` and `from_tfds` read the images from an npz
  file or from TensorFlow Datasets.

  Args:
    images: [images, height, width] or [images, height, width, channels], uint8 or float
      in [0, 1]; an array, or a memory map that is read as needed.
    factors: [images, factors], any values that can be sorted; they are numbered from 0.
    names: a name for each factor; by default factor_0, factor_1, ...
    layout: "NHWC", or "NCHW" if the channels come before height and width. The default
      is "NHWC"; it is an error if the images would then have at most four rows and more
      than four channels.

  Raises:
    UserError: the images or factors have an unsuitable shape, type or range.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> images = np.zeros([4, 8, 8, 1], np.uint8)
    >>> factors = [["cat", 0], ["cat", 1], ["dog", 0], ["dog", 1]]
    >>> table = data.FactorTable(images, factors, names=("animal", "pose"))
    >>> table.factors.sizes
    (2, 2)
    >>> table.observe([[1, 0]]).shape  # an image of a dog
    TensorShape([1, 8, 8, 1])

    >>> np.savez("mine.npz", images=images, factors=[[0], [1], [2], [3]])
    >>> len(data.FactorTable.from_npz("mine.npz"))
    4
  """

  name = "table"

  def __init__(
    self,
    images: npt.ArrayLike,
    factors: npt.ArrayLike,
    *,
    names: Sequence[str] | np.ndarray | None = None,
    layout: str | None = None,
  ) -> None:
    self.images = _check_images(images, layout)
    factors = _check_factors(factors, len(self.images))
    self.values, numbers = _number_values(factors)
    self.names = _check_names(names, len(self.values))
    self.observation_shape = self.images.shape[1:]
    sizes = [len(values) for values in self.values]
    self.factors = covered_space(self.names, sizes, numbers)
    index = self.factors.to_index(numbers)
    self._rows = np.argsort(index, kind="stable")
    self._counts = np.bincount(index)
    self._starts = np.cumsum(self._counts) - self._counts
    self.one_image_per_point = bool((self._counts == 1).all())
    self.origin = {"from": "arrays"}

  @classmethod
  def from_npz(
    cls,
    path: str | os.PathLike,
    *,
    images: str = "images",
    factors: str = "factors",
    names: Sequence[str] | None = None,
    layout: str | None = None,
    sha256: str | None = None,
  ) -> Self:
    """Read the images and the factors from an npz file.

    Args:
      path: the file.
      images: name of the array of images.
      factors: name of the array of factors.
      names: a name for each factor; by default the array `names`, if any.
      layout: as for `FactorTable`.
      sha256: expected hash of the file; another content is then an error.

    Returns:
      The `FactorTable`.
    """
    optional = ["names"] if names is None else []
    arrays = _read_npz(path, [images, factors], optional)
    found = sha256_file(path)
    if sha256 not in (None, found):
      raise UserError(
        f"{path} has changed: its sha256 is {found}, {sha256} was expected; restore "
        "it, or choose another data set (data=...)"
      )
    known = arrays.get("names") if names is None else names
    try:
      table = cls(arrays[images], arrays[factors], names=known, layout=layout)
    except UserError as error:
      raise UserError(f"{path}: {error}") from error
    table.origin = {
      "from": "npz",
      "path": os.path.abspath(path),
      "sha256": found,
      "images": images,
      "factors": factors,
      "names": None if names is None else list(names),
      "layout": layout,
    }
    return table

  @classmethod
  def from_tfds(
    cls,
    dataset: str,
    *,
    labels: Sequence[str],
    image: str = "image",
    split: str = "train",
    data_dir: str | os.PathLike | None = None,
  ) -> Self:
    """Read a set of TensorFlow Datasets into memory.

    Args:
      dataset: its name there, such as "shapes3d".
      labels: the features that are factors, in order.
      image: the feature that is the image.
      split: which split to read.
      data_dir: folder of TensorFlow Datasets; by default its own.

    Returns:
      The `FactorTable`.
    """
    import tensorflow_datasets as tfds

    builder = tfds.builder(dataset, data_dir=data_dir)
    features = cast("tfds.features.FeaturesDict", builder.info.features)
    missing = [key for key in (image, *labels) if key not in features]
    if missing:
      raise UserError(f"{dataset} has no {missing[0]!r}, it has {', '.join(features)}")
    builder.download_and_prepare()
    read = builder.as_dataset(split=split)  # pyright: ignore[reportCallIssue]
    examples = list(tfds.as_numpy(read))
    factors = [[example[label] for label in labels] for example in examples]
    table = cls(np.stack([e[image] for e in examples]), factors, names=tuple(labels))
    table.origin = {"from": "tfds", "dataset": dataset, "split": split}
    return table

  def get_config(self) -> dict:
    return self.origin

  @classmethod
  def from_config(cls, config: dict) -> Self:
    arguments = dict(config)
    source = arguments.pop("from", None)
    if source != "npz":  # a foreign manifest must not start a download
      raise UserError(f"the set was made from {source}: choose the data set (data=...)")
    return cls.from_npz(**arguments)

  def fetch(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    index = grid_index(self.factors, factors)
    place = tf.gather(tf.constant(self._starts), index)
    if not self.one_image_per_point:
      seed = observation_seed(factors) if seed is None else seed
      choices = tf.gather(tf.constant(self._counts), index)
      place += tf.cast(random_integers(tf.shape(index), seed, choices), tf.int64)
    return self._fetch_places(place)

  def to_images(self, fetched: tf.Tensor) -> tf.Tensor:
    return pixels_of_bytes(fetched) if fetched.dtype == tf.uint8 else fetched

  def listed_images(self) -> ListedImages:
    """List every image, with the values of its factors as they were given."""
    numbers = self.factors.to_factors(np.repeat(np.arange(len(self)), self._counts))
    columns = zip(self.values, numbers.T, strict=True)
    return ListedImages(tuple(v[n] for v, n in columns), self._observe_places)

  def _observe_places(self, place: tf.Tensor) -> tf.Tensor:
    return self.to_images(self._fetch_places(place))

  def _fetch_places(self, place: tf.Tensor) -> tf.Tensor:
    kind = tf.uint8 if self.images.dtype == np.uint8 else tf.float32
    images = tf.numpy_function(self._read, [place], kind)
    images.set_shape([None, *self.observation_shape])
    return images

  def _read(self, place: np.ndarray) -> np.ndarray:
    images = self.images[self._rows[place]]
    return images if images.dtype == np.uint8 else images.astype(np.float32)


def _read_npz(
  path: str | os.PathLike, needed: list[str], optional: list[str]
) -> dict[str, np.ndarray]:
  """Read the needed arrays, and the optional ones that exist: {name: array}."""
  try:
    with np.load(path, allow_pickle=False) as arrays:
      missing = sorted(set(needed) - set(arrays.files))
      if missing:
        raise UserError(
          f"{path} has no array {missing[0]!r}, it has {', '.join(arrays.files)}: name "
          "the arrays with images= and factors="
        )
      wanted = [*needed, *(name for name in optional if name in arrays.files)]
      return {name: _unpacked(path, arrays, name) for name in wanted}
  except FileNotFoundError as error:
    raise UserError(f"there is no file {path}") from error
  except UserError:
    raise
  except Exception as error:  # np.load and zipfile raise many kinds
    raise UserError(f"{path} cannot be read as npz: {error}") from error


def _unpacked(
  path: str | os.PathLike, arrays: np.lib.npyio.NpzFile, name: str
) -> np.ndarray:
  try:
    return arrays[name]
  except ValueError as error:
    raise UserError(f"{path}: its array {name!r} cannot be read: {error}") from error


def _check_images(images: npt.ArrayLike, layout: str | None) -> np.ndarray:
  images = images if isinstance(images, np.ndarray) else np.asarray(images)
  if layout is not None:
    check_choice("FactorTable", _LAYOUTS, layout=layout)
  if images.ndim == 3:
    images = images[..., None]
  elif layout == "NCHW":
    images = np.moveaxis(images, 1, -1)
  if images.ndim != 4 or not images.size:
    raise UserError(
      f"images of shape {images.shape}: [images, height, width, channels] is needed"
    )
  if layout is None and images.shape[1] <= _MOST_COLOURS < images.shape[3]:
    raise UserError(
      f"images of shape {images.shape} have {images.shape[3]} channels, unless their "
      "channels come first: set layout (data.FactorTable.from_npz.layout) to 'NCHW' if "
      "they do, else to 'NHWC'"
    )
  if images.dtype != np.uint8:
    if not np.issubdtype(images.dtype, np.floating):
      raise UserError(f"images are {images.dtype}: uint8 or float in [0, 1] is needed")
    low, high = images.min(), images.max()
    if not (low >= 0 and high <= 1):
      raise UserError(f"float images go from {low} to {high}: [0, 1] is needed")
  return images


def _check_factors(factors: npt.ArrayLike, count: int) -> np.ndarray:
  factors = np.asarray(factors)
  if factors.ndim == 1:
    factors = factors[:, None]
  if factors.ndim != 2 or len(factors) != count or not factors.size:
    raise UserError(f"factors of shape {factors.shape} for {count} images")
  if factors.dtype.kind == "f" and not np.isfinite(factors).all():
    raise UserError("some factors are NaN or infinite")
  return factors


def _check_names(
  names: Sequence[str] | np.ndarray | None, count: int
) -> tuple[str, ...]:
  """Return a tuple of `count` names."""
  if names is None:
    return tuple(f"factor_{i}" for i in range(count))
  given = np.asarray(names)
  if given.ndim != 1 or given.dtype.kind != "U":
    raise UserError(f"names of factors are {names!r}: a string for each is needed")
  names = tuple(given.tolist())
  if len(names) != count or len(set(names)) < count:
    raise UserError(
      f"{count} factors are called {', '.join(names)}: {count} different names are "
      "needed"
    )
  return names


def _number_values(factors: np.ndarray) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
  """Number the values: (sorted values of each factor, numbers [images, factors])."""
  columns = [np.unique(column, return_inverse=True) for column in factors.T]
  values = tuple(values for values, _ in columns)
  return values, np.stack([numbers for _, numbers in columns], axis=1)

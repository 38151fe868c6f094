"""What every data set promises: factors in, images out."""

import abc
import dataclasses
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Self

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_instance, init_arguments
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.file_contents import content_of
from disentangle_tf.random_streams import stream_seed


def observation_seed(factors: np.ndarray | tf.Tensor) -> tf.Tensor:
  """Derive a seed from the factors [points, factors].

  The same points in the same order give the same images; other points give other noise.
  """
  factors = tf.cast(factors, tf.int64)
  places = tf.range(1, tf.size(factors, tf.int64) + 1)
  weighted = (tf.reshape(factors, [-1]) + 1) * places * places
  return stream_seed(
    0, "observe", tf.math.floormod(tf.reduce_sum(weighted), 0x7FFFFFFF)
  )


@dataclasses.dataclass(frozen=True)
class ListedImages:
  """All images that a set's observations are drawn from.

  Attributes:
    values: one column [images] per factor with its value in every image; numbers,
      strings, or other values that can be sorted.
    observe: a function of int64 positions [count] in the list -> images [count, height,
      width, channels], float32 in [0, 1]. Works eagerly and inside a `tf.function`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> images = np.zeros([3, 8, 8, 1], np.uint8)
    >>> table = data.FactorTable(images, [["cat"], ["cat"], ["dog"]])
    >>> listed = table.listed_images()
    >>> isinstance(listed, data.ListedImages)
    True
    >>> listed.values[0].tolist()
    ['cat', 'cat', 'dog']
    >>> listed.observe([0, 2]).shape
    TensorShape([2, 8, 8, 1])
  """

  values: tuple[np.ndarray, ...]
  observe: Callable

  def __len__(self) -> int:
    """The number of images."""
    return len(self.values[0])


# One float per channel in each.
MeanAndStd = tuple[tuple[float, ...], tuple[float, ...]]


class GroundTruthData(abc.ABC):
  """Images as a function of their ground-truth factors.

  A subclass sets the attributes and defines `observe`. Its init arguments must be
  attributes too, so that a run can record the set it was trained on.

  Attributes:
    name: short name, used in file names and reports.
    factors: the `FactorSpace`.
    observation_shape: (height, width, channels).
    renders_on_device: whether `observe` consists of TensorFlow ops that any device
      and XLA can run. Training then makes its batches on the device; otherwise a
      tf.data pipeline makes them on the host.
    one_image_per_point: whether the factors alone determine the image. Otherwise the
      image also depends on the seed.
    has_factors: whether the factors are ground truth. Otherwise they only number the
      images, and supervised metrics refuse the set.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> class Brightness(data.GroundTruthData):
    ...   name = "brightness"
    ...   factors = data.FactorSpace(["brightness"], [11])
    ...   observation_shape = (8, 8, 1)
    ...
    ...   def observe(self, factors, seed=None):
    ...     values = tf.cast(factors, tf.float32) / 10
    ...     return tf.tile(values[:, :, None, None], [1, 8, 8, 1])
    >>> brightness = Brightness()
    >>> len(brightness)
    11
    >>> brightness.observe([[10]]).shape
    TensorShape([1, 8, 8, 1])
  """

  name: str
  factors: FactorSpace
  observation_shape: tuple[int, ...]
  renders_on_device = False
  one_image_per_point = True
  has_factors = True

  def __init_subclass__(cls, **options: object) -> None:
    super().__init_subclass__(**options)
    _check_promise(cls)

  @abc.abstractmethod
  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    """Render points as images; works eagerly and inside a `tf.function`.

    Args:
      factors: [points, factors] integers, an array or a tensor.
      seed: int32 [2], see `random_streams`. It determines what the factors do not; by
        default it is derived from the factors. A set with `one_image_per_point` ignores
        it.

    Returns:
      Images [points, height, width, channels], float32 in [0, 1].
    """

  def listed_images(self) -> ListedImages | None:
    """Return the `ListedImages` that observations are drawn from.

    None if the set is endless, and None with `one_image_per_point`, where the points
    themselves list the images.
    """
    return None  # noqa: RET501, a subclass may have one

  @property
  def is_endless(self) -> bool:
    """Whether the set has no finite list of images."""
    return not self.one_image_per_point and self.listed_images() is None

  def get_config(self) -> dict:
    """Return the init arguments, as JSON types and data sets."""
    return init_arguments(self)

  @classmethod
  def from_config(cls, config: dict) -> Self:
    """Make the set from the result of `get_config`."""
    return cls(**config)

  @property
  def files(self) -> list[str]:
    """Paths of the files that determine the images.

    By default the init arguments that are paths, and the files of wrapped sets.
    """
    found = []
    for value in self.get_config().values():
      if isinstance(value, GroundTruthData):
        found += value.files
      elif isinstance(value, str | os.PathLike) and content_of(value) is not None:
        found.append(os.path.abspath(value))
    return found

  def __len__(self) -> int:
    """The number of images."""
    return self.factors.num_points

  def in_order(self, batch_size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (factors, images) NumPy batches of the whole set in index order."""
    observe = tf.function(self.observe, reduce_retracing=True)
    for start in range(0, len(self), batch_size):
      index = np.arange(start, min(start + batch_size, len(self)))
      factors = self.factors.to_factors(index)
      yield factors, observe(tf.constant(factors)).numpy()

  def standardisation(self) -> MeanAndStd:
    """Measure (mean, std) of the whole set, two tuples with one float per channel.

    The std is the mean over images of each image's unbiased std, as in Table A2 of
    Michlo et al. 2023, not the pooled std. Without `one_image_per_point`, 4,096 images
    are measured.
    """
    means, stds = [], []
    for images in self._images_to_measure():
      pixels = images.reshape(len(images), -1, images.shape[-1]).astype(np.float64)
      means.append(pixels.mean(axis=1))
      stds.append(pixels.std(axis=1, ddof=1))
    mean, std = (np.concatenate(values).mean(axis=0) for values in (means, stds))
    return tuple(mean.tolist()), tuple(std.tolist())

  def _images_to_measure(self, batch_size: int = 1024) -> Iterator[np.ndarray]:
    if self.one_image_per_point:
      return (images for _, images in self.in_order(batch_size))
    rng = np.random.default_rng(0)
    draws = (self.factors.draw(batch_size, rng) for _ in range(4))
    return (self.observe(factors).numpy() for factors in draws)


def _check_promise(cls: type[GroundTruthData]) -> None:
  """Refuse a class whose `observe` does not take factors and a seed."""
  if "stochastic" in vars(cls):
    raise UserError(
      f"{cls.__name__}.stochastic: set one_image_per_point = False instead if the "
      "factors do not determine the image"
    )
  try:
    inspect.signature(cls.observe).bind("self", "factors", "seed")
  except TypeError as error:
    raise UserError(
      f"{cls.__name__}.observe takes no seed: write observe(self, factors, seed=None), "
      "and ignore the seed if the factors determine the image"
    ) from error


def observation_shape(data: GroundTruthData) -> tuple[int, ...]:
  """Return the image shape of `data`, for configurations of networks.

  Args:
    data: a `GroundTruthData`.

  Returns:
    (height, width, channels).

  Example:
    >>> from disentangle_tf import data
    >>> data.observation_shape(data.Spot())
    (16, 16, 1)
  """
  _check("observation_shape", data)
  return data.observation_shape


def standardisation(
  data: GroundTruthData,
) -> MeanAndStd:
  """Return the (mean, std) of `data`, for configurations of models.

  Args:
    data: a `GroundTruthData`.

  Returns:
    Two tuples with one float per channel, see `GroundTruthData.standardisation`.

  Example:
    >>> from disentangle_tf import data
    >>> mean, std = data.standardisation(data.XYSquares())
    >>> mean
    (0.015625, 0.015625, 0.015625)
  """
  _check("standardisation", data)
  return data.standardisation()


def num_points(data: GroundTruthData) -> int:
  """Return the number of images of `data`, for configurations of models.

  Args:
    data: a `GroundTruthData`.

  Example:
    >>> from disentangle_tf import data
    >>> data.num_points(data.Spot())
    169
  """
  _check("num_points", data)
  return len(data)


def _check(name: str, data: object) -> None:
  check_instance(name, GroundTruthData, "data.XYSquares()", data=data)

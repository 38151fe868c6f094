"""The base class of every data set: images as a function of ground-truth factors."""

import abc
import inspect
import os
from collections.abc import Iterator
from typing import Self

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_instance
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.listed_images import ListedImages
from disentangle_tf.errors import UserError
from disentangle_tf.file_contents import content_of
from disentangle_tf.init_arguments import init_arguments

# One float per channel in each.
MeanAndStd = tuple[tuple[float, ...], tuple[float, ...]]


class GroundTruthData(abc.ABC):
  """Images as a function of their ground-truth factors.

  A subclass sets the attributes and defines `observe`; its init arguments are
  attributes too, so that a run can record the set it was trained on.

  Attributes:
    name: short name, used in file names and reports.
    factors: the `FactorSpace`.
    observation_shape: (height, width, channels).
    renders_on_device: whether `observe` consists of TensorFlow ops that any device
      and XLA can run. Training then makes its batches on the device; otherwise a
      tf.data pipeline makes them on the host.
    one_image_per_point: whether the factors tell the image, whatever the seed. If not,
      a point that is observed again may be another image.
    has_factors: whether the factors are ground truth; otherwise they only number the
      images, and supervised metrics refuse the set.
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
    """Images [points, height, width, channels], float32 in [0, 1].

    Works eagerly and inside a `tf.function`.

    Args:
      factors: [points, factors] integers, an array or a tensor.
      seed: int32 [2], see `random_streams`: decides what the factors leave open; by
        default that follows from the factors themselves. With `one_image_per_point`
        nothing is open: the seed is taken and ignored.
    """

  def listed_images(self) -> ListedImages | None:
    """The `ListedImages` that observations are drawn from; None if they have no end.

    None as well with `one_image_per_point`: then the points are the list.
    """
    return None  # noqa: RET501, a subclass may have one

  @property
  def is_endless(self) -> bool:
    """Whether there is always another image, so that not all of them can be encoded."""
    return not self.one_image_per_point and self.listed_images() is None

  def get_config(self) -> dict:
    """What made it, as JSON: the init arguments."""
    return init_arguments(self)

  @classmethod
  def from_config(cls, config: dict) -> Self:
    """The set that `get_config` described."""
    return cls(**config)

  @property
  def files(self) -> list[str]:
    """Paths of the files that decide the images: [path].

    By default the init arguments that are paths, and the files of a set within.
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
    """Yields (factors, images) NumPy batches of the whole set in index order."""
    observe = tf.function(self.observe, reduce_retracing=True)
    for start in range(0, len(self), batch_size):
      index = np.arange(start, min(start + batch_size, len(self)))
      factors = self.factors.to_factors(index)
      yield factors, observe(tf.constant(factors)).numpy()

  def standardisation(self) -> MeanAndStd:
    """(mean, std), two tuples with one float per channel, measured over the whole set.

    The std is the mean over images of each image's unbiased std, as in Table A2 of
    Michlo et al. 2023, not the pooled one. Without `one_image_per_point`, 4,096 images
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
  """Refuses a class whose `observe` cannot be called as all callers do."""
  if "stochastic" in vars(cls):
    raise UserError(
      f"{cls.__name__}.stochastic: set one_image_per_point = False instead if the "
      "factors do not tell the image"
    )
  try:
    inspect.signature(cls.observe).bind("self", "factors", "seed")
  except TypeError as error:
    raise UserError(
      f"{cls.__name__}.observe takes no seed: write observe(self, factors, seed=None), "
      "and ignore the seed if the factors tell the image"
    ) from error


def observation_shape(data: GroundTruthData) -> tuple[int, ...]:
  """The image shape of `data`, for a configuration to hand to the networks."""
  _check("observation_shape", data)
  return data.observation_shape


def standardisation(
  data: GroundTruthData,
) -> MeanAndStd:
  """The (mean, std) of `data`, for a configuration to hand to the model."""
  _check("standardisation", data)
  return data.standardisation()


def num_points(data: GroundTruthData) -> int:
  """The number of images of `data`, for a configuration to hand to the model."""
  _check("num_points", data)
  return len(data)


def _check(name: str, data: object) -> None:
  check_instance(name, GroundTruthData, "@data.XYSquares()", data=data)

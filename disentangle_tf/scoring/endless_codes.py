"""`EndlessCodes`: codes of a data set that never shows the same image twice."""

from __future__ import annotations

import functools
import math
import typing
from collections.abc import Callable, Iterator

import numpy as np
import tensorflow as tf

from disentangle_tf.scoring.observations import Observations, decoder_jacobians

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.scoring.encoding import ImageEncoding


_BLOCK = 256  # images made from one seed, whatever the model's batch size
_SEEDS = 2**31


class EndlessCodes:
  """Codes of a data set with random images: every drawn point is a new image.

  The interface is that of `CodesTable`. Codes are not kept, because no image recurs.
  `CodesTable.of_model` makes one where the data set requires it.

  Args:
    encoding: the model's `ImageEncoding`.
    data: a `GroundTruthData` that `is_endless`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data, scoring
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> noisy = data.UniformNoise(squares, epsilon=0.1)
    >>> def encode(images):
    ...   return images.reshape(len(images), -1)[:, :2], None
    >>> codes = scoring.CodesTable.of_model(encode, noisy)
    >>> isinstance(codes, scoring.EndlessCodes)
    True
    >>> codes.sample(5, np.random.default_rng(0)).codes.shape
    (5, 2)
  """

  remarks = ()
  num_images = None  # their number is infinite

  def __init__(self, encoding: ImageEncoding, data: GroundTruthData) -> None:
    self.space = data.factors
    self.num_pixels = math.prod(data.observation_shape)
    self._encoding = encoding
    self._traced = _traced(data)
    first = self.observe(self.space.to_factors(np.zeros(1, np.int64)), _first())
    self.num_latents: int = first.codes.shape[1]
    self.has_distribution = first.log_variances is not None

  @property
  def has_reconstructions(self) -> bool:
    """Whether there is a decoder."""
    return self._encoding.can_reconstruct

  @property
  def can_decode(self) -> bool:
    """Whether codes can be decoded."""
    return self._encoding.can_decode

  @property
  def may_clip(self) -> bool:
    """Whether decoded images may be clipped."""
    return self._encoding.may_clip

  @property
  def seconds(self) -> float:
    """Seconds spent on encoding."""
    return self._encoding.seconds

  def sample(self, num_points: int | None, rng: np.random.Generator) -> Observations:
    """`Observations` of points drawn uniformly, a new image of each.

    Args:
      num_points: number of points; None takes every combination of factors once.
      rng: a `numpy.random.Generator` for the points and their images.
    """
    if num_points is None:
      factors = self.space.to_factors(np.arange(self.space.num_points))
    else:
      factors = self.space.draw(num_points, rng)
    return self.observe(factors, rng)

  def observe(self, factors: np.ndarray, rng: np.random.Generator) -> Observations:
    """`Observations` of given points, a new image each.

    Args:
      factors: [points, factors].
      rng: a `numpy.random.Generator` for the images.
    """
    factors = np.asarray(factors, np.int32)
    blocks = np.split(factors, range(_BLOCK, len(factors), _BLOCK))
    seeds = rng.integers(_SEEDS, size=(len(blocks), 2), dtype=np.int32)
    codes, log_variances = self._encoding.encode(
      self._images(blocks, seeds), len(factors)
    )
    return Observations(
      factors,
      codes,
      log_variances,
      (lambda: self._encoding.reconstruct(self._images(blocks, seeds)))
      if self.has_reconstructions
      else None,
    )

  def codes_of(self, factors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The codes of `observe`."""
    return self.observe(factors, rng).codes

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of codes [N, latents], as `AskableModel.decode_unclipped`."""
    return self._encoding.decode(codes)

  def jacobians(self, seen: Observations) -> np.ndarray:
    """Jacobians [points, pixels, latents] of the decoder at the means of `seen`.

    See `decoder_jacobians`.
    """
    return decoder_jacobians(self.decode, seen.codes, seen.log_variances)

  def _images(
    self, blocks: list[np.ndarray], seeds: np.ndarray
  ) -> Iterator[np.ndarray]:
    for factors, seed in zip(blocks, seeds, strict=True):
      yield self._traced(tf.constant(factors), tf.constant(seed)).numpy()


@functools.lru_cache(maxsize=1)
def _traced(data: GroundTruthData) -> Callable:
  """A graph that models share when they are scored on the same data set."""
  return tf.function(
    lambda factors, seed: data.observe(factors, seed), reduce_retracing=True
  )


def _first() -> np.random.Generator:
  return np.random.default_rng(0)

"""`EndlessCodes`: codes of a set that never shows the same image twice."""

import functools
import math

import numpy as np
import tensorflow as tf

from disentangle_tf.evaluation.decoder_jacobians import decoder_jacobians
from disentangle_tf.evaluation.observations import Observations

_BLOCK = 256  # images made from one seed, whatever the model's batch size
_SEEDS = 2**31


class EndlessCodes:
  """Codes of a set whose images are left to chance: every drawn point is a new image.

  Asked as a `CodesTable` is; nothing is kept, for nothing comes again.

  Args:
    encoding: the model's `ImageEncoding`.
    data: a `GroundTruthData` that `is_endless`.
  """

  remarks = ()
  num_images = None  # there is no end to them

  def __init__(self, encoding, data):
    self.space = data.factors
    self.num_pixels = math.prod(data.observation_shape)
    self._encoding = encoding
    self._traced = _traced(data)
    first = self.observe(self.space.to_factors(np.zeros(1, np.int64)), _first())
    self.num_latents = first.codes.shape[1]
    self.has_distribution = first.log_variances is not None

  @property
  def has_reconstructions(self):
    """Whether there is a decoder."""
    return self._encoding.can_reconstruct

  @property
  def can_decode(self):
    """Whether `decode` may be asked."""
    return self._encoding.can_decode

  @property
  def may_clip(self):
    """Whether what `decode` gives may be clipped."""
    return self._encoding.may_clip

  @property
  def seconds(self):
    """Spent on encoding."""
    return self._encoding.seconds

  def sample(self, num_points, rng):
    """`Observations` of points drawn uniformly, a new image of each.

    Args:
      num_points: how many; None takes every combination of factors once.
      rng: a `numpy.random.Generator`, of the points and of their images.
    """
    if num_points is None:
      factors = self.space.to_factors(np.arange(self.space.num_points))
    else:
      factors = self.space.draw(num_points, rng)
    return self.observe(factors, rng)

  def observe(self, factors, rng):
    """`Observations` of the points `factors` [points, factors], new images that `rng`
    decides.
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

  def codes_of(self, factors, rng):
    """The codes alone of `observe`."""
    return self.observe(factors, rng).codes

  def decode(self, codes):
    """Means of the pixels of codes [N, latents], as `AskableModel.decode_unclipped`."""
    return self._encoding.decode(codes)

  def jacobians(self, seen):
    """Those of the decoder at the means of `Observations`: [points, pixels, latents].

    See `decoder_jacobians`.
    """
    return decoder_jacobians(self.decode, seen.codes, seen.log_variances)

  def _images(self, blocks, seeds):
    for factors, seed in zip(blocks, seeds, strict=True):
      yield self._traced(tf.constant(factors), tf.constant(seed)).numpy()


@functools.lru_cache(maxsize=1)
def _traced(data):
  """Shared by models that are scored one after the other on the same set."""
  return tf.function(
    lambda factors, seed: data.observe(factors, seed), reduce_retracing=True
  )


def _first():
  return np.random.default_rng(0)

"""The codes of a data set."""

import time

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.progress import progress_bar


class CodesTable:
  """Codes of a finite set's images, each encoded once, when it is first asked for.

  Args:
    codes: [images, latents] in index order.
    space: the set's `FactorSpace`.
    log_variances: [images, latents] of the posteriors, if they are known.
    reconstruct: points [count, factors] -> (images, reconstructions), if there is a
      decoder.

  Attributes:
    seconds: spent on encoding.

  Example:
    table = CodesTable.of_model(exported.encode_distribution, XYSquares())
    codes, factors = table.sample(10_000, rng)
  """

  def __init__(self, codes, space, *, log_variances=None, reconstruct=None):
    if len(codes) != space.num_points:
      raise UserError(f"{len(codes)} codes for a set of {space.num_points} images")
    self.space = space
    self.seconds = 0.0
    self._reconstruct = reconstruct
    self._codes = np.asarray(codes)
    self._log_variances = log_variances
    self._missing = np.zeros(len(codes), bool)
    self._encode = None

  @classmethod
  def of_model(cls, encode, data, *, reconstruct=None, batch_size=256):
    """The table of a model, for a `data` set.

    Args:
      encode: images -> (means, log_variances), the latter None if they are not known.
      reconstruct: images -> images; None without a decoder.
      batch_size: images encoded at a time.
    """

    @tf.function(reduce_retracing=True)
    def observe(factors):  # a function of this table's own, traced for it alone
      return data.observe(factors)

    def encode_points(index):
      factors = data.factors.to_factors(index)
      return encode(observe(tf.constant(factors)).numpy())

    def reconstruct_points(factors):
      batches = np.split(factors, range(batch_size, len(factors), batch_size))
      images = [observe(tf.constant(batch)).numpy() for batch in batches]
      made = [reconstruct(batch) for batch in images]
      return np.concatenate(images), np.concatenate(made)

    means, log_variances = encode_points(np.zeros(1, np.int64))
    shape = (data.factors.num_points, means.shape[1])
    table = cls(
      np.empty(shape, means.dtype),
      data.factors,
      log_variances=None if log_variances is None else np.empty(shape, np.float32),
      reconstruct=reconstruct_points if reconstruct else None,
    )
    table._missing[:] = True
    table._encode = encode_points
    table._batch_size = batch_size
    return table

  def draw(self, factors):
    """Codes of the points `factors` [points, factors]."""
    return self._codes[self._look_up(factors)]

  def draw_distribution(self, factors):
    """(codes, log_variances) of the points `factors`."""
    if self._log_variances is None:
      raise UserError("this table has codes alone, no log-variances")
    index = self._look_up(factors)
    return self._codes[index], self._log_variances[index]

  def reconstruct(self, factors):
    """(images, reconstructions) of the points `factors`."""
    if self._reconstruct is None:
      raise UserError("this model has no decoder, so there are no reconstructions")
    return self._reconstruct(factors)

  @property
  def num_latents(self):
    """How many numbers a code has."""
    return self._codes.shape[1]

  @property
  def has_reconstructions(self):
    """Whether there is a decoder."""
    return self._reconstruct is not None

  @property
  def has_distribution(self):
    """Whether log-variances are known."""
    return self._log_variances is not None

  def sample(self, num_points, rng):
    """(codes, factors) of points drawn uniformly; None takes every point once."""
    factors = self.points(num_points, rng)
    return self.draw(factors), factors

  def points(self, num_points, rng):
    """Points drawn uniformly: [num_points, factors]; None takes every point once."""
    if num_points is None:
      return self.space.to_factors(np.arange(self.space.num_points))
    return self.space.draw(num_points, rng)

  def _look_up(self, factors):
    index = self.space.to_index(factors)
    missing = np.unique(index[self._missing[index]])
    if len(missing):
      self._fill(missing)
    return index

  def _fill(self, index):
    started = time.perf_counter()
    batches = np.split(index, range(self._batch_size, len(index), self._batch_size))
    with progress_bar(len(index), "encoding", unit="image") as bar:
      for batch in batches:
        self._codes[batch], log_variances = self._encode(batch)
        if self.has_distribution:
          self._log_variances[batch] = log_variances
        bar.update(len(batch))
    self._missing[index] = False
    self.seconds += time.perf_counter() - started

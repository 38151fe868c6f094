"""`CodesTable`: the codes of a data set, encoded once and looked up."""

import functools
import math

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.decoder_jacobians import decoder_jacobians
from disentangle_tf.evaluation.encoded_rows import EncodedRows
from disentangle_tf.evaluation.endless_codes import EndlessCodes
from disentangle_tf.evaluation.factor_bins import bin_factors
from disentangle_tf.evaluation.image_encoding import ImageEncoding
from disentangle_tf.evaluation.observations import Observations

_BLOCK = 256  # images made at a time


class CodesTable:
  """Codes of a finite set's images, each encoded once, when it is first asked for.

  Several images may share all their factors. Then each drawn point is one of its
  images, chosen at random; drawn again, it may be another.

  Args:
    codes: [images, latents].
    space: the set's `FactorSpace`.
    points: [images, factors], the factors of each image, so that every point of the
      space has one or more; by default one for each point, in index order.
    log_variances: [images, latents] of the posteriors, if they are known.
    remarks: what is to be known of the factors, a line each.

  Attributes:
    num_images: how many images there are.
    num_latents: how many numbers a code has.
    num_pixels: how many numbers an image has; None if there are codes alone.
    has_distribution: whether log-variances are known.

  Example:
    table = CodesTable.of_model(exported.encode, XYSquares())
    seen = table.sample(10_000, rng)
    metrics.mig(seen.codes, seen.factors)
  """

  num_pixels = None

  def __init__(self, codes, space, *, points=None, log_variances=None, remarks=()):
    codes = np.asarray(codes)
    rows = _KnownRows(codes, log_variances)
    self._set_up(rows, len(codes), space, points, remarks)

  def _set_up(self, rows, count, space, points, remarks, observe=None, encoding=None):
    images = space.num_points if points is None else len(points)
    if count != images:
      raise UserError(f"{count} codes for a set of {images} images")
    self.space = space
    self.remarks = tuple(remarks)
    self.num_images = count
    self._rows = rows
    self._points = None if points is None else _Grouped(space.to_index(points))
    self._observe = observe
    self._encoding = encoding
    means, log_variances = rows[np.zeros(1, np.int64)]
    self.num_latents = means.shape[1]
    self.has_distribution = log_variances is not None

  @classmethod
  def of_model(
    cls,
    encode,
    data,
    *,
    reconstruct=None,
    decode=None,
    may_clip=False,
    batch_size=256,
    factor_bins=20,
  ):
    """The codes of a model, for a `data` set.

    Args:
      encode: images -> (means, log_variances), the latter None if they are not known.
      reconstruct: images -> images; None without a decoder.
      decode: codes -> means of the pixels, not clipped; None if it cannot be asked.
      may_clip: whether `decode` may clip: a model may give images alone.
      batch_size: images encoded or decoded at a time.
      factor_bins: as of `bin_factors`, for a set that lists its images.

    Returns:
      A table; for a set that `is_endless`, `EndlessCodes`, which are asked in the same
      way.
    """
    encoding = ImageEncoding(
      encode,
      reconstruct=reconstruct,
      decode=decode,
      may_clip=may_clip,
      batch_size=batch_size,
    )
    if data.is_endless:
      return EndlessCodes(encoding, data)
    listed, observe = _observing(data)
    space, points, remarks = data.factors, None, ()
    if listed is not None:
      space, points, remarks = bin_factors(listed.values, space.names, factor_bins)

    def encode_rows(rows):
      return encoding.encode(map(observe, _blocks(rows)), len(rows))

    count = len(data) if listed is None else len(listed)
    rows = EncodedRows(encode_rows)
    table = cls.__new__(cls)
    table._set_up(rows, count, space, points, remarks, observe, encoding)
    table.num_pixels = math.prod(data.observation_shape)
    return table

  @property
  def has_reconstructions(self):
    """Whether there is a decoder."""
    return self._encoding is not None and self._encoding.can_reconstruct

  @property
  def can_decode(self):
    """Whether `decode` may be asked."""
    return self._encoding is not None and self._encoding.can_decode

  @property
  def may_clip(self):
    """Whether what `decode` gives may be clipped."""
    return self._encoding is not None and self._encoding.may_clip

  @property
  def seconds(self):
    """Spent on encoding."""
    return 0.0 if self._encoding is None else self._encoding.seconds

  def sample(self, num_points, rng):
    """`Observations` of images drawn uniformly, with replacement.

    Args:
      num_points: how many; None takes every image once.
      rng: a `numpy.random.Generator`.
    """
    if num_points is None:
      rows = np.arange(self.num_images)
    elif self._one_each:
      rows = self._choose(self.space.draw(num_points, rng), rng)
    else:
      rows = rng.integers(self.num_images, size=num_points)
    return self._observed(rows)

  def observe(self, factors, rng):
    """`Observations` of the points `factors` [points, factors], each an image of its.

    Args:
      rng: a `numpy.random.Generator`, which chooses where there are several images.
    """
    return self._observed(self._choose(factors, rng))

  def codes_of(self, factors, rng):
    """The codes alone of `observe`."""
    return self._rows[self._choose(factors, rng)][0]

  def decode(self, codes):
    """Means of the pixels of codes [N, latents], as `AskableModel.decode_unclipped`."""
    return self._encoding.decode(codes)

  def jacobians(self, seen):
    """Those of the decoder at the means of `Observations`: [points, pixels, latents].

    See `decoder_jacobians`.
    """
    return decoder_jacobians(self.decode, seen.codes, seen.log_variances)

  @property
  def _one_each(self):
    return self._points is None or self._points.one_each

  def _choose(self, factors, rng):
    index = self.space.to_index(factors)
    return index if self._points is None else self._points.choose(index, rng)

  def _observed(self, rows):
    index = rows if self._points is None else self._points.index[rows]
    return Observations(
      self.space.to_factors(index),
      *self._rows[rows],
      (lambda: self._reconstruct(rows)) if self.has_reconstructions else None,
    )

  def _reconstruct(self, rows):
    return self._encoding.reconstruct(map(self._observe, _blocks(rows)))


class _KnownRows:
  """Codes that are all there, asked as `EncodedRows` are."""

  def __init__(self, codes, log_variances):
    self._codes, self._log_variances = codes, log_variances

  def __getitem__(self, rows):
    known = self._log_variances is not None
    return self._codes[rows], self._log_variances[rows] if known else None


class _Grouped:
  """Images by the point that they show."""

  def __init__(self, index):
    self.index = index  # [images]
    self._order = np.argsort(index, kind="stable")
    self._counts = np.bincount(index)
    self._starts = np.cumsum(self._counts) - self._counts
    self.one_each = bool((self._counts == 1).all())

  def choose(self, index, rng):
    """An image for each of the points `index`."""
    place = self._starts[index]
    if not self.one_each:
      place = place + rng.integers(self._counts[index])
    return self._order[place]


@functools.lru_cache(maxsize=1)
def _observing(data):
  """(`ListedImages` or None, a function of rows of the table -> images).

  Models that are scored one after the other on the same set share what is traced.
  """
  listed = data.listed_images()
  if listed is not None:
    traced = tf.function(lambda rows: listed.observe(rows), reduce_retracing=True)
    return listed, lambda rows: traced(tf.constant(rows)).numpy()
  traced = tf.function(lambda points: data.observe(points), reduce_retracing=True)
  return None, lambda rows: traced(tf.constant(data.factors.to_factors(rows))).numpy()


def _blocks(rows):
  return np.split(rows, range(_BLOCK, len(rows), _BLOCK))

"""`CodesTable`: the codes of a data set, encoded once and looked up."""

from __future__ import annotations

import functools
import math
import typing
from collections.abc import Callable, Iterable

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.scoring.encoding import EncodedRows, ImageEncoding
from disentangle_tf.scoring.endless_codes import EndlessCodes
from disentangle_tf.scoring.observations import (
  Observations,
  bin_factors,
  decoder_jacobians,
)

if typing.TYPE_CHECKING:
  from disentangle_tf.data import FactorSpace, GroundTruthData, ListedImages


_BLOCK = 256  # images made at a time


class CodesTable:
  """Codes of the images of a finite data set, each encoded once, on first use.

  Several images may share all factors. A drawn point is then one of its images, chosen
  at random; drawn again, it may be another one.

  Args:
    codes: [images, latents].
    space: the set's `FactorSpace`.
    points: [images, factors], the factors of each image; every point of the space has
      one image or more. By default there is one image per point, in index order.
    log_variances: [images, latents] of the posteriors, if they are known.
    remarks: what a user should know about the factors, one line each.

  Attributes:
    num_images: number of images.
    num_latents: number of latents.
    num_pixels: numbers per image; None if the codes come without a model.
    has_distribution: whether log-variances are known.

  Raises:
    UserError: if the numbers of codes and of images differ.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import scoring
    >>> from disentangle_tf.data import FactorSpace
    >>> space = FactorSpace(("x", "y"), (2, 3))
    >>> table = scoring.CodesTable(np.zeros((6, 4), np.float32), space)
    >>> seen = table.sample(10, np.random.default_rng(0))
    >>> seen.codes.shape, seen.factors.shape
    ((10, 4), (10, 2))
  """

  num_pixels: int | None = None

  def __init__(
    self,
    codes: np.ndarray,
    space: FactorSpace,
    *,
    points: np.ndarray | None = None,
    log_variances: np.ndarray | None = None,
    remarks: Iterable[str] = (),
  ) -> None:
    codes = np.asarray(codes)
    rows = _KnownRows(codes, log_variances)
    self._set_up(rows, len(codes), space, points, remarks)

  def _set_up(
    self,
    rows: EncodedRows | _KnownRows,
    count: int,
    space: FactorSpace,
    points: np.ndarray | None,
    remarks: Iterable[str],
    observe: Callable[[np.ndarray], np.ndarray] | None = None,
    encoding: ImageEncoding | None = None,
  ) -> None:
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
    self.num_latents: int = means.shape[1]
    self.has_distribution = log_variances is not None

  @classmethod
  def of_model(
    cls,
    encode: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]],
    data: GroundTruthData,
    *,
    reconstruct: Callable[[np.ndarray], np.ndarray] | None = None,
    decode: Callable[[np.ndarray], np.ndarray] | None = None,
    may_clip: bool = False,
    batch_size: int = 256,
    factor_bins: int = 20,
  ) -> CodesTable | EndlessCodes:
    """The codes of a model on a data set.

    Args:
      encode: images -> (means, log_variances or None).
      data: the `GroundTruthData`.
      reconstruct: images -> images; None without a decoder.
      decode: codes -> means of the pixels, not clipped; None if there is no such
        function.
      may_clip: whether `decode` may clip, because the model returns only images.
      batch_size: images encoded or decoded at a time.
      factor_bins: as for `bin_factors`, for data sets that list their images.

    Returns:
      A `CodesTable`; for a data set that `is_endless`, `EndlessCodes` with the same
      methods.
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

    def encode_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
      return encoding.encode(map(observe, _blocks(rows)), len(rows))

    count = len(data) if listed is None else len(listed)
    rows = EncodedRows(encode_rows)
    table = cls.__new__(cls)
    table._set_up(rows, count, space, points, remarks, observe, encoding)
    table.num_pixels = math.prod(data.observation_shape)
    return table

  @property
  def has_reconstructions(self) -> bool:
    """Whether there is a decoder."""
    return self._encoding is not None and self._encoding.can_reconstruct

  @property
  def can_decode(self) -> bool:
    """Whether codes can be decoded."""
    return self._encoding is not None and self._encoding.can_decode

  @property
  def may_clip(self) -> bool:
    """Whether decoded images may be clipped."""
    return self._encoding is not None and self._encoding.may_clip

  @property
  def seconds(self) -> float:
    """Seconds spent on encoding."""
    return 0.0 if self._encoding is None else self._encoding.seconds

  def sample(self, num_points: int | None, rng: np.random.Generator) -> Observations:
    """`Observations` of images drawn uniformly, with replacement.

    Args:
      num_points: number of images; None takes every image once.
      rng: a `numpy.random.Generator`.
    """
    if num_points is None:
      rows = np.arange(self.num_images)
    elif self._one_each:
      rows = self._choose(self.space.draw(num_points, rng), rng)
    else:
      rows = rng.integers(self.num_images, size=num_points)
    return self._observed(rows)

  def observe(self, factors: np.ndarray, rng: np.random.Generator) -> Observations:
    """`Observations` of given points, one image each.

    Args:
      factors: [points, factors].
      rng: a `numpy.random.Generator`, which chooses among several images of a point.
    """
    return self._observed(self._choose(factors, rng))

  def codes_of(self, factors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The codes of `observe`."""
    return self._rows[self._choose(factors, rng)][0]

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of codes [N, latents], as `AskableModel.decode_unclipped`."""
    assert self._encoding is not None  # `can_decode`
    return self._encoding.decode(codes)

  def jacobians(self, seen: Observations) -> np.ndarray:
    """Jacobians [points, pixels, latents] of the decoder at the means of `seen`.

    See `decoder_jacobians`.
    """
    return decoder_jacobians(self.decode, seen.codes, seen.log_variances)

  @property
  def _one_each(self) -> bool:
    return self._points is None or self._points.one_each

  def _choose(self, factors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    index = self.space.to_index(factors)
    return index if self._points is None else self._points.choose(index, rng)

  def _observed(self, rows: np.ndarray) -> Observations:
    index = rows if self._points is None else self._points.index[rows]
    return Observations(
      self.space.to_factors(index),
      *self._rows[rows],
      (lambda: self._reconstruct(rows)) if self.has_reconstructions else None,
    )

  def _reconstruct(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    assert self._encoding is not None and self._observe is not None
    return self._encoding.reconstruct(map(self._observe, _blocks(rows)))


class _KnownRows:
  """Codes that are given, with the interface of `EncodedRows`."""

  def __init__(self, codes: np.ndarray, log_variances: np.ndarray | None) -> None:
    self._codes, self._log_variances = codes, log_variances

  def __getitem__(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    log_variances = self._log_variances
    return self._codes[rows], None if log_variances is None else log_variances[rows]


class _Grouped:
  """Images grouped by their points."""

  def __init__(self, index: np.ndarray) -> None:
    self.index = index  # [images]
    self._order = np.argsort(index, kind="stable")
    self._counts = np.bincount(index)
    self._starts = np.cumsum(self._counts) - self._counts
    self.one_each = bool((self._counts == 1).all())

  def choose(self, index: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Choose an image for each of the points `index`."""
    place = self._starts[index]
    if not self.one_each:
      place = place + rng.integers(self._counts[index])
    return self._order[place]


@functools.lru_cache(maxsize=1)
def _observing(
  data: GroundTruthData,
) -> tuple[ListedImages | None, Callable[[np.ndarray], np.ndarray]]:
  """(`ListedImages` or None, a function of rows of the table -> images).

  Models that are scored one after another on the same data set share the traced graph.
  """
  listed = data.listed_images()
  if listed is not None:
    traced = tf.function(lambda rows: listed.observe(rows), reduce_retracing=True)
    return listed, lambda rows: traced(tf.constant(rows)).numpy()
  traced = tf.function(lambda points: data.observe(points), reduce_retracing=True)
  return None, lambda rows: traced(tf.constant(data.factors.to_factors(rows))).numpy()


def _blocks(rows: np.ndarray) -> list[np.ndarray]:
  return np.split(rows, range(_BLOCK, len(rows), _BLOCK))

"""Encode images in batches, check the codes, and keep the rows asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.metrics.parts.contract import check_time
from disentangle_tf.progress import progress_bar

_RANGES = {
  "codes": (-1e15, 1e15),  # the sum of many squares fits in float32
  "log_variances": (-1e15, 80.0),
}


def check_scorable(name: str, values: np.ndarray) -> np.ndarray:
  """Return `values`, or raise a `ModelError` if metrics cannot process them.

  Args:
    name: "codes" or "log_variances".
    values: float32 [points, latents].

  Returns:
    `values`.

  Raises:
    ModelError: if a number is NaN, infinite or too large.
  """
  least, most = _RANGES[name]
  fits = (values.min(axis=0) >= least) & (values.max(axis=0) <= most)  # NaN does not
  if not fits.all():
    raise ModelError(
      f"{name} of latent {np.argmin(fits)} are NaN, infinite or beyond {least:g} to "
      f"{most:g}"
    )
  return values


class EncodedRows:
  """Codes of rows, each encoded on first use and then kept in memory.

  Codes may have thousands of numbers, and a data set a million images of which a
  protocol uses thousands, so a table of all rows would not fit. If the kept codes take
  too much memory, they are dropped and encoded again when needed.

  Args:
    encode: rows [N], ascending -> (means, log_variances or None), each [N, latents].
    most_bytes: memory of the kept codes, unless one request needs more.
  """

  def __init__(
    self,
    encode: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]],
    *,
    most_bytes: int = 2**30,
  ) -> None:
    self._encode = encode
    self._most_bytes = most_bytes
    self._forget()

  def __getitem__(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """(codes, log_variances or None), each [N, latents], of the rows [N]."""
    missing = self._missing(rows)
    if len(missing) and self._bytes_with(len(missing)) > self._most_bytes:
      self._forget()
      missing = self._missing(rows)
    if len(missing):
      self._add(missing, *self._encode(missing))
    places = self._places[np.searchsorted(self._rows, rows)]
    assert self._codes is not None  # rows are never empty
    if self._log_variances is None:
      return self._codes[places], None
    return self._codes[places], self._log_variances[places]

  def _forget(self) -> None:
    self._rows = np.empty(0, np.int64)  # the kept rows, ascending
    self._places = np.empty(0, np.int64)  # position of the codes of each row
    self._codes: np.ndarray | None = None
    self._log_variances: np.ndarray | None = None

  def _missing(self, rows: np.ndarray) -> np.ndarray:
    if not len(self._rows):
      return np.unique(rows)
    nearest = np.searchsorted(self._rows, rows)
    known = np.take(self._rows, nearest, mode="clip") == rows
    return np.unique(rows[~known])

  def _bytes_with(self, further: int) -> int:
    if self._codes is None:
      return 0
    arrays = 1 if self._log_variances is None else 2
    return (len(self._codes) + further) * self._codes[0].nbytes * arrays

  def _add(
    self, rows: np.ndarray, means: np.ndarray, log_variances: np.ndarray | None
  ) -> None:
    if self._codes is None:
      self._codes, self._log_variances = means, log_variances
    else:
      _append(self._codes, means)
      if log_variances is not None and self._log_variances is not None:
        _append(self._log_variances, log_variances)
    known = len(self._rows)
    every = np.concatenate([self._rows, rows])
    order = np.argsort(every, kind="stable")
    self._rows = every[order]
    places = np.arange(known, known + len(rows))
    self._places = np.concatenate([self._places, places])[order]


def _append(array: np.ndarray, rows: np.ndarray) -> None:
  """Append in place: a copy would take twice the memory."""
  known = len(array)
  array.resize((known + len(rows), array.shape[1]), refcheck=False)
  array[known:] = rows


class ImageEncoding:
  """A model's encoder and decoder, for any number of images.

  Args:
    encode: images -> (means, log_variances or None).
    reconstruct: images -> images; None without a decoder.
    decode: codes -> means of the pixels, not clipped; None if codes cannot be decoded.
    may_clip: whether `decode` may clip, because the model returns only images.
    batch_size: images encoded or decoded at a time.

  Attributes:
    may_clip: as given.
    seconds: time spent on encoding, and on making the images for it.
  """

  def __init__(
    self,
    encode: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]],
    *,
    reconstruct: Callable[[np.ndarray], np.ndarray] | None = None,
    decode: Callable[[np.ndarray], np.ndarray] | None = None,
    may_clip: bool = False,
    batch_size: int = 256,
  ) -> None:
    self._encode = encode
    self._reconstruct = reconstruct
    self._decode = decode
    self.may_clip = may_clip
    self._batch_size = batch_size
    self._latents = None
    self.seconds = 0.0

  @property
  def can_reconstruct(self) -> bool:
    """Whether there is a decoder."""
    return self._reconstruct is not None

  @property
  def can_decode(self) -> bool:
    """Whether codes can be decoded."""
    return self._decode is not None

  def encode(
    self, blocks: Iterable[np.ndarray], count: int
  ) -> tuple[np.ndarray, np.ndarray | None]:
    """(means, log_variances or None) of all images.

    Args:
      blocks: iterator over arrays of images.
      count: number of images, for the progress bar.

    Raises:
      ModelError: if the model returns codes that cannot be scored.
    """
    started = time.perf_counter()
    parts = []
    with progress_bar(count, "encoding", unit="image") as bar:
      for images in blocks:
        for batch in self._batches(images):
          parts.append(self._checked(*self._encode(batch)))
          bar.update(len(batch))
    self.seconds += time.perf_counter() - started
    means, log_variances = zip(*parts, strict=True)
    unknown = log_variances[0] is None
    return np.concatenate(means), None if unknown else np.concatenate(log_variances)

  def reconstruct(self, blocks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(images, reconstructions) of all blocks."""
    batches = [batch for images in blocks for batch in self._batches(images)]
    assert self._reconstruct is not None  # `can_reconstruct`
    made = [self._reconstruct(batch) for batch in batches]
    return np.concatenate(batches), np.concatenate(made)

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of all codes [N, latents]."""
    assert self._decode is not None  # `can_decode`
    made = []
    for batch in self._batches(codes):
      check_time()  # the time limit of the metric
      made.append(self._decode(batch))
    return np.concatenate(made)

  def _checked(
    self, means: np.ndarray, log_variances: np.ndarray | None
  ) -> tuple[np.ndarray, np.ndarray | None]:
    """The codes of a batch, if they can be scored with the others."""
    if self._latents not in (None, means.shape[1]):
      raise ModelError(
        f"the model gave codes of {self._latents} numbers, and then of {means.shape[1]}"
      )
    self._latents = means.shape[1]
    if log_variances is not None:
      check_scorable("log_variances", log_variances)
    return check_scorable("codes", means), log_variances

  def _batches(self, array: np.ndarray) -> list[np.ndarray]:
    return np.split(array, range(self._batch_size, len(array), self._batch_size))

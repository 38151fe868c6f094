"""Encoding, reconstructing and decoding in batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.evaluation.scorable import check_scorable
from disentangle_tf.metrics.parts.time_limit import check_time
from disentangle_tf.progress import progress_bar


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

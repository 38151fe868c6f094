"""Encoding and reconstructing images in batches."""

import time

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.evaluation.scorable import check_scorable
from disentangle_tf.metrics.parts.time_limit import check_time
from disentangle_tf.progress import progress_bar


class ImageEncoding:
  """A model's encoder and decoder, for as many images as are asked for.

  Args:
    encode: images -> (means, log_variances), the latter None if they are not known.
    reconstruct: images -> images; None without a decoder.
    decode: codes -> means of the pixels, not clipped; None if it cannot be asked.
    may_clip: whether `decode` may clip: a model may give images alone.
    batch_size: images encoded or decoded at a time.

  Attributes:
    may_clip: as given.
    seconds: spent on encoding, and on making the images for it.
  """

  def __init__(
    self, encode, *, reconstruct=None, decode=None, may_clip=False, batch_size=256
  ):
    self._encode = encode
    self._reconstruct = reconstruct
    self._decode = decode
    self.may_clip = may_clip
    self._batch_size = batch_size
    self._latents = None
    self.seconds = 0.0

  @property
  def can_reconstruct(self):
    """Whether there is a decoder."""
    return self._reconstruct is not None

  @property
  def can_decode(self):
    """Whether it gives images of codes."""
    return self._decode is not None

  def encode(self, blocks, count):
    """(means, log_variances or None) of all images.

    Args:
      blocks: iterator over arrays of images.
      count: how many images there are in all, to show how far it is.
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

  def reconstruct(self, blocks):
    """(images, reconstructions) of all blocks."""
    batches = [batch for images in blocks for batch in self._batches(images)]
    made = [self._reconstruct(batch) for batch in batches]
    return np.concatenate(batches), np.concatenate(made)

  def decode(self, codes):
    """Means of the pixels of all codes [N, latents]."""
    made = []
    for batch in self._batches(codes):
      check_time()  # of the metric that asks for them
      made.append(self._decode(batch))
    return np.concatenate(made)

  def _checked(self, means, log_variances):
    """What a model gave for a batch, if it can be scored with the rest."""
    if self._latents not in (None, means.shape[1]):
      raise ModelError(
        f"the model gave codes of {self._latents} numbers, and then of {means.shape[1]}"
      )
    self._latents = means.shape[1]
    if log_variances is not None:
      check_scorable("log_variances", log_variances)
    return check_scorable("codes", means), log_variances

  def _batches(self, array):
    return np.split(array, range(self._batch_size, len(array), self._batch_size))

"""Reading images and their factors through TensorFlow Datasets, for the caches."""

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  import tensorflow as tf


def tfds_blocks(
  name: str,
  labels: Sequence[str],
  space: FactorSpace,
  *,
  split: str = "all",
  block: int = 1024,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
  """Yields (index [n], images [n, H, W, C]) of a set, in its own order.

  Args:
    name: the set's name in TensorFlow Datasets, which downloads it if need be.
    labels: its features that hold the factors, in the order of `space`; none if the
      images are only numbered.
    space: the `FactorSpace`.
    split: which of its splits; all of them by default.
    block: images per block.
  """
  import tensorflow_datasets as tfds  # here, because few need it and it takes a while

  logging.getLogger("urllib3").setLevel(logging.ERROR)  # not a line for every retry
  try:
    examples = tfds.load(name, split=split)
  except Exception as error:  # whatever the network or the disk had against it
    reason = " ".join(str(error).split())[:200]
    raise UserError(
      f"TensorFlow Datasets cannot give {name} ({reason}): fetch the official files by "
      "hand and name their folder"
    ) from error
  start = 0
  for batch in tfds.as_numpy(cast("tf.data.Dataset", examples).batch(block)):
    images = batch["image"]
    numbered = np.arange(start, start + len(images))
    factors = [batch[label] for label in labels] or [numbered]
    yield space.to_index(np.stack(factors, axis=-1)), images
    start += len(images)

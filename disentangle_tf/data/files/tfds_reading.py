"""Reading images and factors through TensorFlow Datasets."""

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
  """Yield (index [n], images [n, H, W, C]) of a set, in its own order.

  Args:
    name: name of the set in TensorFlow Datasets, which downloads it if necessary.
    labels: the features that hold the factors, in the order of `space`; empty if the
      images are only numbered.
    space: the `FactorSpace`.
    split: the split to read; all by default.
    block: images per block.
  """
  import tensorflow_datasets as tfds  # slow to import, and rarely needed

  logging.getLogger("urllib3").setLevel(logging.ERROR)  # no warning for every retry
  try:
    examples = tfds.load(name, split=split)
  except Exception as error:  # many kinds, from the network or the disk
    reason = " ".join(str(error).split())[:200]
    raise UserError(
      f"TensorFlow Datasets cannot load {name} ({reason}): fetch the official files by "
      "hand and name their folder"
    ) from error
  start = 0
  for batch in tfds.as_numpy(cast("tf.data.Dataset", examples).batch(block)):
    images = batch["image"]
    numbered = np.arange(start, start + len(images))
    factors = [batch[label] for label in labels] or [numbered]
    yield space.to_index(np.stack(factors, axis=-1)), images
    start += len(images)

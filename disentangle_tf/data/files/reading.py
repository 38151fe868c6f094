"""Read official files and TFDS files into arrays."""

import contextlib
import logging
import math
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt
from PIL import Image

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  import tensorflow as tf


@contextlib.contextmanager
def reading(path: str | os.PathLike) -> Iterator[None]:
  """Turn all errors of reading a damaged file into a one-line `UserError`."""
  try:
    yield
  except UserError:
    raise
  except Exception as error:  # each library raises different errors for broken files
    reason = " ".join(str(error).split()) or type(error).__name__
    raise UserError(
      f"cannot read {path}: it is truncated or damaged ({reason[:200]}); move it away "
      "and fetch it again"
    ) from error


def check_array(
  path: str | os.PathLike,
  name: str,
  shape: Sequence[int],
  dtype: np.dtype,
  *,
  expected: Sequence[int],
  expected_dtype: npt.DTypeLike = np.uint8,
) -> None:
  """Raise a `UserError` if the array `name` of a file is not as published."""
  if tuple(shape) != tuple(expected) or dtype != expected_dtype:
    raise UserError(
      f"{path} is not the official file: {name} is {dtype} {tuple(shape)}, expected "
      f"{np.dtype(expected_dtype)} {tuple(expected)}"
    )


@contextlib.contextmanager
def opened_array(
  path: str | os.PathLike, name: str
) -> Iterator[tuple[tuple[int, ...], np.dtype, Callable[[int], np.ndarray]]]:
  """Open an array in an npz file without loading it: yield (shape, dtype, read).

  `read(count)` returns the next `count` rows.
  """
  with (
    reading(path),
    zipfile.ZipFile(path) as archive,
    archive.open(f"{name}.npy") as member,
  ):
    read_header = {
      (1, 0): np.lib.format.read_array_header_1_0,
      (2, 0): np.lib.format.read_array_header_2_0,
    }[np.lib.format.read_magic(member)]
    shape, fortran_order, dtype = read_header(member)
    if fortran_order or not shape:
      raise UserError(f"{path} is not the official file: {name} is no plain array")

    def read(count: int) -> np.ndarray:
      size = count * math.prod(shape[1:]) * dtype.itemsize
      content = member.read(size)
      if len(content) < size:
        raise EOFError("it ends too early")
      return np.frombuffer(content, dtype).reshape(count, *shape[1:])

    yield shape, dtype, read


def resize(images: np.ndarray, side: int) -> np.ndarray:
  """Resize uint8 images [N, H, W, 1 or 3] to side x side; bilinear, anti-aliased."""
  grey = images.shape[-1] == 1
  resized = [
    Image.fromarray(image[..., 0] if grey else image).resize(
      (side, side), Image.Resampling.BILINEAR
    )
    for image in images
  ]
  return np.stack([np.asarray(image) for image in resized]).reshape(
    len(images), side, side, images.shape[-1]
  )


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

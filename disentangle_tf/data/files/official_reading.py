"""Reading official files: checks of arrays, rows of npz files, resizing."""

import contextlib
import math
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from disentangle_tf.errors import UserError


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

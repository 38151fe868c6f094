"""Which tensors of a function are images and which are vectors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.scan.verdict import Tensor

if TYPE_CHECKING:
  from disentangle_tf.foreign.scan.verdict import Offer


def mismatch(problem: str, offers: Sequence[Offer]) -> UserError:
  """Make a `UserError` that names the problem and the model's functions."""
  listed = " | ".join(map(str, offers))
  return UserError(f"{problem}; the model offers {listed}")


def is_vector(tensor: Tensor) -> bool:
  """Whether a `Tensor` holds one vector per image, or may: its shape is unknown."""
  shape = tensor.shape
  if shape is None or len(shape) == 2:
    return True
  return len(shape) == 4 and (shape[1:3] == (1, 1) or shape[2:4] == (1, 1))


def vector_width(tensor: Tensor) -> int | None:
  """The numbers per image; None if the shape does not determine them."""
  if tensor.shape is None:
    return None
  known = [size for size in tensor.shape[1:] if size is not None]
  return math.prod(known) if len(known) == len(tensor.shape[1:]) else None


@dataclasses.dataclass(frozen=True)
class ImageFormat:
  """The layout of an array of images: the order of its axes.

  Attributes:
    layout: "NHWC", "NCHW", "flat NHWC", "flat NCHW", "NHW" for images without an axis
      of channels, or "points" for data that are not images.
    shape: (height, width, channels) of an image; (numbers,) of a point.
  """

  layout: str
  shape: tuple[int, ...]

  @classmethod
  def of_tensor(
    cls,
    tensor: Tensor,
    shape: Sequence[int],
    *,
    forced: str | None = None,
    channels_first: bool = False,
  ) -> ImageFormat | None:
    """The format in which `tensor` holds images of this shape; None if it does not.

    Args:
      tensor: a `Tensor`.
      shape: of an image, or of a point.
      forced: the layout that the user states, "NHWC" or "NCHW".
      channels_first: whether NCHW is used if both fit.
    """
    shape = tuple(shape)
    if len(shape) != 3:
      fits = tensor.shape is None or _fits(tensor.shape[1:], shape)
      return cls("points", shape) if fits else None
    likely, other = ("NCHW", "NHWC") if channels_first else ("NHWC", "NCHW")
    if tensor.shape is None:
      return cls(forced or likely, shape)
    height, width, channels = shape
    orders = {"NHWC": shape, "NCHW": (channels, height, width)}
    for name in [forced] if forced else [likely, other]:
      if _fits(tensor.shape[1:], orders[name]):
        return cls(name, shape)
    if channels == 1 and _fits(tensor.shape[1:], (height, width)):
      return cls("NHW", shape)
    flat = _fits(tensor.shape[1:], (math.prod(shape),))
    return cls(f"flat {forced or likely}", shape) if flat else None

  @property
  def size(self) -> int:
    """The number of values in an image."""
    return math.prod(self.shape)

  def arrange(self, images: np.ndarray) -> np.ndarray:
    """Arrange images [N, *shape] in this format."""
    if self.layout.endswith("NCHW"):
      images = images.transpose(0, 3, 1, 2)
    if self.layout.startswith("flat"):
      images = images.reshape(len(images), -1)
    if self.layout == "NHW":
      images = images[..., 0]
    return np.ascontiguousarray(images)

  def images(self, array: np.ndarray) -> np.ndarray:
    """Reshape an array in this format, or a flattened one, to [N, *shape]."""
    if not self.layout.endswith("NCHW"):
      return array.reshape(-1, *self.shape)
    height, width, channels = self.shape
    return array.reshape(-1, channels, height, width).transpose(0, 2, 3, 1)


# Gives the `ImageFormat` in which a `Tensor` holds images, None if it holds none.
FormatFinder = Callable[[Tensor], ImageFormat | None]


def _fits(sizes: Sequence[int | None], wanted: Sequence[int]) -> bool:
  return len(sizes) == len(wanted) and all(
    size is None or size == want for size, want in zip(sizes, wanted, strict=True)
  )

"""Layouts of images (NHWC, NCHW, flat, ...) in a model's inputs and outputs."""

import dataclasses
import math

import numpy as np


@dataclasses.dataclass(frozen=True)
class ImageFormat:
  """The order of an array's axes.

  Attributes:
    layout: "NHWC", "NCHW", one of them after "flat ", "NHW" for images without an axis
      of channels, or "points" for sets that are not images.
    shape: (height, width, channels) of an image; (numbers,) of a point.
  """

  layout: str
  shape: tuple

  @classmethod
  def of_tensor(cls, tensor, shape, *, forced=None, channels_first=False):
    """The format in which `tensor` holds images of this shape; None if it does not.

    Args:
      tensor: a `Tensor`.
      shape: of an image, or of a point.
      forced: the layout that the user says, "NHWC" or "NCHW".
      channels_first: which of the two to take if both would do.
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
  def size(self):
    """Numbers in an image."""
    return math.prod(self.shape)

  def arrange(self, images):
    """Images [N, *shape] as this format has them."""
    if self.layout.endswith("NCHW"):
      images = images.transpose(0, 3, 1, 2)
    if self.layout.startswith("flat"):
      images = images.reshape(len(images), -1)
    if self.layout == "NHW":
      images = images[..., 0]
    return np.ascontiguousarray(images)

  def images(self, array):
    """[N, *shape] of an array [N, ...] in this format, or of one that was flattened."""
    if not self.layout.endswith("NCHW"):
      return array.reshape(-1, *self.shape)
    height, width, channels = self.shape
    return array.reshape(-1, channels, height, width).transpose(0, 2, 3, 1)


def _fits(sizes, wanted):
  return len(sizes) == len(wanted) and all(
    size is None or size == want for size, want in zip(sizes, wanted, strict=True)
  )

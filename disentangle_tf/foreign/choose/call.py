"""One function of a model, what it is fed, and what is kept of its outputs."""

import dataclasses

import numpy as np

from disentangle_tf.foreign.choose.image_format import ImageFormat
from disentangle_tf.foreign.look.offer import Tensor


@dataclasses.dataclass(frozen=True)
class Call:
  """One function of a model: what goes in and what is kept of what comes out.

  Attributes:
    signature: its name.
    input: the `Tensor` that the array goes into.
    copies: names of further inputs that take the same array.
    constants: ((`Tensor`, number), ...), further inputs that are filled with a number.
    outputs: names of the outputs that are kept.
  """

  signature: str
  input: Tensor
  copies: tuple = ()
  constants: tuple = ()
  outputs: tuple = ()

  @classmethod
  def from_json(cls, parts):
    """The call that `dataclasses.asdict` took apart, also after a trip as JSON."""
    constants = [(_tensor(each), value) for each, value in parts["constants"]]
    return cls(
      parts["signature"],
      _tensor(parts["input"]),
      tuple(parts["copies"]),
      tuple(constants),
      tuple(parts["outputs"]),
    )

  def feeds(self, array):
    """{input: (array, dtype)}, all that the function takes for `array` [N, ...]."""
    images = dict.fromkeys((self.input.name, *self.copies), (array, self.input.dtype))
    return images | {
      tensor.name: (np.full(_sizes(tensor, len(array)), value), tensor.dtype)
      for tensor, value in self.constants
    }


@dataclasses.dataclass(frozen=True)
class ImageSource:
  """A `Call` whose one output is images, and the `ImageFormat` they come in."""

  call: Call
  format: ImageFormat


def _tensor(parts):
  shape = parts["shape"]
  return Tensor(parts["name"], parts["dtype"], None if shape is None else tuple(shape))


def _sizes(tensor, count):
  """The sizes to feed: where the first is unknown `count`, where another is 1."""
  return tuple(
    size or (1 if place else count) for place, size in enumerate(tensor.shape or ())
  )

"""A call of one function of a model: its inputs, and the outputs to keep."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.foreign.choose.image_format import ImageFormat
from disentangle_tf.foreign.look.offer import Tensor

if TYPE_CHECKING:
  from collections.abc import Mapping
  from typing import Any


@dataclasses.dataclass(frozen=True)
class Call:
  """A call of one function of a model.

  Attributes:
    signature: the name of the function.
    input: the `Tensor` that the array goes into.
    copies: names of further inputs that take the same array.
    constants: ((`Tensor`, number), ...), further inputs that are filled with a number.
    outputs: names of the outputs that are kept.
  """

  signature: str
  input: Tensor
  copies: tuple[str, ...] = ()
  constants: tuple[tuple[Tensor, float], ...] = ()
  outputs: tuple[str, ...] = ()

  @classmethod
  def from_json(cls, parts: Mapping[str, Any]) -> Call:
    """Make a call from `dataclasses.asdict` of one, also after a trip as JSON."""
    constants = [(_tensor(each), value) for each, value in parts["constants"]]
    return cls(
      parts["signature"],
      _tensor(parts["input"]),
      tuple(parts["copies"]),
      tuple(constants),
      tuple(parts["outputs"]),
    )

  def feeds(self, array: np.ndarray) -> dict[str, tuple[np.ndarray, str]]:
    """{input: (array, dtype)}: every input of the function, for `array` [N, ...]."""
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


def _tensor(parts: Mapping[str, Any]) -> Tensor:
  shape = parts["shape"]
  return Tensor(parts["name"], parts["dtype"], None if shape is None else tuple(shape))


def _sizes(tensor: Tensor, count: int) -> tuple[int, ...]:
  """The sizes to feed: `count` for an unknown first size, 1 for another one."""
  return tuple(
    size or (1 if place else count) for place, size in enumerate(tensor.shape or ())
  )

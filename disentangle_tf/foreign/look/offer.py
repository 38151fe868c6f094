"""The functions of a model: its signatures, with names and shapes of their tensors."""

import dataclasses

from disentangle_tf.errors import ModelError
from disentangle_tf.strangers_text import printable

_LONGEST_NAME = 1_000
_LARGEST_SIZE = 2**40


@dataclasses.dataclass(frozen=True)
class Tensor:
  """A named input or output of a function.

  Attributes:
    name: its name in the model.
    dtype: its type, such as "float32".
    shape: its sizes, with None for an unknown one; None if the shape is unknown.

  Example:
    >>> from disentangle_tf import foreign
    >>> str(foreign.Tensor("images", "float32", (None, 64, 64, 1)))
    'images float32 [?, 64, 64, 1]'
  """

  name: str
  dtype: str
  shape: tuple[int | None, ...] | None

  def __post_init__(self) -> None:
    _check_name(self.name)
    sizes = [size for size in self.shape or () if size is not None]
    if not all(0 <= size <= _LARGEST_SIZE for size in sizes):
      raise ModelError(f"refused: {printable(self.name)} has an impossible shape")

  def __str__(self) -> str:
    sizes = (
      "?"
      if self.shape is None
      else ", ".join("?" if size is None else str(size) for size in self.shape)
    )
    return f"{printable(self.name)} {printable(self.dtype)} [{sizes}]"


@dataclasses.dataclass(frozen=True)
class Offer:
  """A function that a model offers: a signature, or the whole of an ONNX or Keras file.

  Attributes:
    name: its name in the model.
    inputs, outputs: tuples of `Tensor`s.

  Example:
    >>> from disentangle_tf import foreign
    >>> images = foreign.Tensor("images", "float32", (None, 64, 64, 1))
    >>> codes = foreign.Tensor("mean", "float32", (None, 10))
    >>> str(foreign.Offer("encode", (images,), (codes,)))
    'encode: images float32 [?, 64, 64, 1] -> mean float32 [?, 10]'
  """

  name: str
  inputs: tuple[Tensor, ...]
  outputs: tuple[Tensor, ...]

  def __post_init__(self) -> None:
    _check_name(self.name)

  def __str__(self) -> str:
    inputs, outputs = (
      ", ".join(map(str, tensors)) for tensors in (self.inputs, self.outputs)
    )
    return f"{printable(self.name)}: {inputs} -> {outputs}"


def _check_name(name: str) -> None:
  if len(name) > _LONGEST_NAME:
    raise ModelError(f"refused: a name in it has {len(name):,} characters")

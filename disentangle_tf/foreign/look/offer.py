"""What a model offers: its signatures, with the names and shapes of their tensors."""

import dataclasses

from disentangle_tf.errors import ModelError
from disentangle_tf.strangers_text import printable

_LONGEST_NAME = 1_000
_LARGEST_SIZE = 2**40


@dataclasses.dataclass(frozen=True)
class Tensor:
  """A named input or output; unknown sizes are None, an unknown shape too."""

  name: str
  dtype: str
  shape: tuple | None

  def __post_init__(self):
    _check_name(self.name)
    sizes = [size for size in self.shape or () if size is not None]
    if not all(0 <= size <= _LARGEST_SIZE for size in sizes):
      raise ModelError(f"refused: {printable(self.name)} has an impossible shape")

  def __str__(self):
    sizes = (
      "?"
      if self.shape is None
      else ", ".join("?" if size is None else str(size) for size in self.shape)
    )
    return f"{printable(self.name)} {printable(self.dtype)} [{sizes}]"


@dataclasses.dataclass(frozen=True)
class Offer:
  """A signature of a SavedModel, or all of another model: inputs and outputs."""

  name: str
  inputs: tuple
  outputs: tuple

  def __post_init__(self):
    _check_name(self.name)

  def __str__(self):
    inputs, outputs = (
      ", ".join(map(str, tensors)) for tensors in (self.inputs, self.outputs)
    )
    return f"{printable(self.name)}: {inputs} -> {outputs}"


def _check_name(name):
  if len(name) > _LONGEST_NAME:
    raise ModelError(f"refused: a name in it has {len(name):,} characters")

"""What a model offers: named functions of named tensors."""

import dataclasses

from disentangle_tf.foreign.model_error import printable


@dataclasses.dataclass(frozen=True)
class Tensor:
  """A named input or output; unknown sizes are None, an unknown shape too."""

  name: str
  dtype: str
  shape: tuple | None

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

  def __str__(self):
    inputs, outputs = (
      ", ".join(map(str, tensors)) for tensors in (self.inputs, self.outputs)
    )
    return f"{printable(self.name)}: {inputs} -> {outputs}"

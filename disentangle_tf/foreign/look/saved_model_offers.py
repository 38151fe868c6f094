"""The signatures of a SavedModel, as `Offer`s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensorflow.core.framework.types_pb2 import DataType

from disentangle_tf.foreign.look.offer import Offer, Tensor

if TYPE_CHECKING:
  from collections.abc import Mapping

  from tensorflow.core.protobuf.meta_graph_pb2 import MetaGraphDef, TensorInfo


def saved_model_offers(meta_graph: MetaGraphDef) -> list[Offer]:
  """An `Offer` for each signature of a graph, sorted by name."""
  return [
    Offer(name, _tensors(signature.inputs), _tensors(signature.outputs))
    for name, signature in sorted(meta_graph.signature_def.items())
    if not name.startswith("__saved_model")
  ]


def _tensors(infos: Mapping[str, TensorInfo]) -> tuple[Tensor, ...]:
  return tuple(
    Tensor(key, _dtype(info), _shape(info)) for key, info in sorted(infos.items())
  )


def _dtype(info: TensorInfo) -> str:
  names = DataType.DESCRIPTOR.values_by_number
  if info.dtype not in names:
    return "unknown"
  name = names[info.dtype].name.removeprefix("DT_").lower()
  return {"float": "float32", "double": "float64", "half": "float16"}.get(name, name)


def _shape(info: TensorInfo) -> tuple[int | None, ...] | None:
  if info.tensor_shape.unknown_rank or not info.HasField("tensor_shape"):
    return None
  return tuple(None if d.size < 0 else d.size for d in info.tensor_shape.dim)

"""The signatures of a SavedModel, as `Offer`s."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError
from tensorflow.core.framework.types_pb2 import DataType
from tensorflow.core.protobuf.saved_model_pb2 import SavedModel

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.scan.scan_graph import scan_graph
from disentangle_tf.foreign.scan.verdict import (
  Finding,
  Offer,
  Tensor,
  Verdict,
  summarised,
)
from disentangle_tf.text import printable

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


_HUB_TAGS = {frozenset(), frozenset({"train"})}


def parse_saved_model(content: bytes) -> SavedModel:
  """Parse the bytes of saved_model.pb."""
  try:
    return SavedModel.FromString(content)
  except DecodeError as error:
    raise ModelError("saved_model.pb is damaged: it cannot be parsed") from error


def kind_of(saved_model: SavedModel) -> str:
  """The kind of model: "TF 2 SavedModel", "TF 1 SavedModel" or "TF-Hub module"."""
  graphs = saved_model.meta_graphs
  if len(graphs) == 1 and graphs[0].HasField("object_graph_def"):
    return "TF 2 SavedModel"
  return "TF-Hub module" if _tag_sets(saved_model) == _HUB_TAGS else "TF 1 SavedModel"


def main_graph(saved_model: SavedModel) -> MetaGraphDef:
  """The graph to run: the only one, or the one that is not for training."""
  return min(saved_model.meta_graphs, key=lambda graph: len(graph.meta_info_def.tags))


def scan_saved_model(saved_model: SavedModel) -> Verdict:
  """The `Verdict` on a parsed SavedModel."""
  graphs = saved_model.meta_graphs
  findings = []
  if not graphs:
    findings.append(Finding("there is no graph", "saved_model.pb"))
  elif len(graphs) > 1 and not (
    len(graphs) == 2 and _tag_sets(saved_model) == _HUB_TAGS
  ):
    tags = [sorted(graph.meta_info_def.tags) for graph in graphs]
    several = printable(f"several graphs, with tags {tags}")
    ask = "ask for an export with one, of the encoder"
    findings.append(Finding(several, "saved_model.pb", ask))
  looked_at = collections.Counter()
  for graph in graphs:
    problems, counts = scan_graph(graph)
    looked_at.update(counts)
    findings += problems
  return Verdict(kind_of(saved_model), summarised(findings), dict(looked_at))


def _tag_sets(saved_model: SavedModel) -> set[frozenset[str]]:
  return {frozenset(graph.meta_info_def.tags) for graph in saved_model.meta_graphs}

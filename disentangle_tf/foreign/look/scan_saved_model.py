"""Parses a SavedModel as data, and scans each of its graphs (`scan_graph`)."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError
from tensorflow.core.protobuf.saved_model_pb2 import SavedModel

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.look.scan_graph import scan_graph
from disentangle_tf.foreign.look.verdict import Finding, Verdict, summarised
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from tensorflow.core.protobuf.meta_graph_pb2 import MetaGraphDef

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

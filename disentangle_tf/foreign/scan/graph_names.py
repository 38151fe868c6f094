"""Nodes, tensors and functions of a SavedModel's graph, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
  from collections.abc import Iterable, Iterator, Mapping, Sequence

  from tensorflow.core.framework.attr_value_pb2 import AttrValue, NameAttrList
  from tensorflow.core.framework.function_pb2 import FunctionDef
  from tensorflow.core.framework.node_def_pb2 import NodeDef
  from tensorflow.core.protobuf.meta_graph_pb2 import MetaGraphDef, TensorInfo


def node_of(tensor: str) -> str:
  """The name of the node in "^node", "node:output:0" or "node"."""
  return tensor.removeprefix("^").split(":")[0]


def full_name(name: str) -> str:
  """The full name of a tensor; the short one of a node's first output is the node's.

  Inside functions, arguments have short names, and outputs of nodes have three parts.
  """
  return f"{name}:0" if name and ":" not in name else name


def reads(node: NodeDef, filename: str, nodes: Mapping[str, NodeDef]) -> bool:
  """Whether a node's first input is the tensor `filename`, also through identities."""
  for _ in range(10):
    source = full_name(node.input[0]) if node.input else ""
    if source == filename:
      return bool(filename)
    before = nodes.get(node_of(source))
    if before is None or before.op != "Identity":
      return False
    node = before
  return False


def tensor_names(info: TensorInfo) -> list[str]:
  """Names of the tensors of a signature's input or output."""
  encoding = info.WhichOneof("encoding")
  if encoding == "name":
    return [info.name]
  if encoding == "coo_sparse":
    sparse = info.coo_sparse
    return [
      sparse.values_tensor_name,
      sparse.indices_tensor_name,
      sparse.dense_shape_tensor_name,
    ]
  if encoding == "composite_tensor":
    return [
      name for part in info.composite_tensor.components for name in tensor_names(part)
    ]
  return []


def collected(meta_graph: MetaGraphDef, name: str) -> list[str]:
  """The nodes or bytes of a collection; none if there is no such collection."""
  if name not in meta_graph.collection_def:
    return []
  collection = meta_graph.collection_def[name]
  return [
    *collection.node_list.value,
    *(value.decode(errors="replace") for value in collection.bytes_list.value),
    *(value.type_url for value in collection.any_list.value),
  ]


def functions_named(node: NodeDef) -> Iterator[str]:
  """Names of the functions that a node's attributes call."""
  for kind, value in attribute_values(node.attr.values()):
    yield from (function.name for function in _functions_of(kind, value))


def attribute_values(
  values: Iterable[AttrValue],
) -> Iterator[tuple[str | None, AttrValue]]:
  """(kind, value) of attributes, and of attributes of the functions they name."""
  pending = list(values)
  while pending:
    value = pending.pop()
    kind = value.WhichOneof("value")
    yield kind, value
    for function in _functions_of(kind, value):
      pending += function.attr.values()


def _functions_of(kind: str | None, value: AttrValue) -> Sequence[NameAttrList]:
  if kind == "func":
    return [value.func]
  return value.list.func if kind == "list" else ()


def values_of_function(function: FunctionDef) -> Iterator[AttrValue]:
  """Attributes of a function and of its arguments."""
  yield from function.attr.values()
  for argument in function.arg_attr.values():
    yield from argument.attr.values()

"""Scans a graph of a SavedModel: which operations and objects have it refused.

TensorFlow's loader runs what a model tells it to run: initialisers of resources and the
saver's restore operation. The scan therefore compares every node of the graph and of
every function, used or not, with a list of allowed operations.
"""

from __future__ import annotations

import collections
import re
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError
from tensorflow.core.framework.types_pb2 import DT_RESOURCE, DT_VARIANT
from tensorflow.core.framework.variable_pb2 import VariableDef

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.scan.allowed_ops import ALLOWED, RESTORING, SAVING, reason
from disentangle_tf.foreign.scan.graph_names import (
  attribute_values,
  collected,
  full_name,
  functions_named,
  node_of,
  reads,
  tensor_names,
  values_of_function,
)
from disentangle_tf.foreign.scan.scan_stablehlo import scan_stablehlo
from disentangle_tf.foreign.scan.verdict import Finding
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Iterable, Iterator, Mapping

  from tensorflow.core.framework.attr_value_pb2 import AttrValue
  from tensorflow.core.framework.node_def_pb2 import NodeDef
  from tensorflow.core.protobuf.meta_graph_pb2 import MetaGraphDef
  from tensorflow.core.protobuf.saved_object_graph_pb2 import SavedObject

MOST_NODES = 500_000
# Names of TensorFlow's operations; a function of such a name could replace one.
_NAME_OF_OPERATION = re.compile(r"_*[A-Z][A-Za-z0-9>]*")
_INIT_SIGNATURE = "__saved_model_init_op"
_INITIALISERS = ("saved_model_main_op", "legacy_init_op", "saved_model_init_op")
_RUN_BESIDE = ("table_initializer", "queue_runners", "ready_op", "local_init_op")
_SAVED = ("variables", "saveable_objects")
_ASSET_COLLECTIONS = ("saved_model_assets", "asset_filepaths")
_OBJECTS = (DT_RESOURCE, DT_VARIANT)
_HARMLESS_CLASSES = ("", "tf.TrackableConstant")
_PLAIN_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
_PROGRAM = "XlaCallModule"
_ASK_FOR_GRAPH = "ask for an export of the encoder alone, made by tf.saved_model.save"
_ASK_FOR_JAX = "ask for an export without custom calls and callbacks, made by jax2tf"


def scan_graph(meta_graph: MetaGraphDef) -> tuple[list[Finding], dict[str, int]]:
  """Find every reason to refuse a graph.

  Args:
    meta_graph: a `MetaGraphDef` of a SavedModel.

  Returns:
    (list of `Finding`s, {"operations", "functions", "signatures": their number}).
  """
  scan = _GraphScan(meta_graph)
  return scan.findings(), scan.looked_at()


class _GraphScan:
  """The scan of one meta-graph.

  Attributes:
    running: names of the nodes that a signature or loading may run.
    restore_nodes: names of the nodes that only restoring runs. Nothing runs the others.
  """

  def __init__(self, meta_graph: MetaGraphDef) -> None:
    self.meta_graph = meta_graph
    library = meta_graph.graph_def.library
    self.functions = {f.signature.name: f for f in library.function}
    self.nodes = {node.name: node for node in meta_graph.graph_def.node}
    saver = meta_graph.saver_def
    self.filename = full_name(saver.filename_tensor_name)
    self.running = self._ancestors(
      [
        *self._signature_tensors(),
        *self._initialiser_names(),
        *self._local_variables(),
        *self._variables_without_saver(),
      ]
    )
    self.restore_nodes = self._ancestors([saver.restore_op_name]) - self.running

  def looked_at(self) -> dict[str, int]:
    graph = self.meta_graph.graph_def
    functions = graph.library.function
    return {
      "operations": len(graph.node) + sum(len(f.node_def) for f in functions),
      "functions": len(functions),
      "signatures": len(self.meta_graph.signature_def),
    }

  def findings(self) -> list[Finding]:
    """Every reason to refuse this graph."""
    if self.looked_at()["operations"] > MOST_NODES:
      return [Finding(f"more than {MOST_NODES} operations", "the graph")]
    return [
      *self._names(),
      *self._operations(),
      *self._initialisers(),
      *self._assets(),
      *self._objects(),
    ]

  def _names(self) -> Iterator[Finding]:
    """Functions with names of operations or of others, and calls of unknown ones."""
    library = self.meta_graph.graph_def.library
    for name in self.functions:
      if _NAME_OF_OPERATION.fullmatch(name):
        shown = printable(name)
        yield Finding(
          f"a function has the name of an operation, {shown}", "the library"
        )
    for name in _repeated(function.signature.name for function in library.function):
      yield Finding(f"several functions are called {printable(name)}", "the library")
    for name in _repeated(node.name for node in self.meta_graph.graph_def.node):
      yield Finding(f"several operations are called {printable(name)}", "the graph")
    for function in library.function:
      here = f"function {printable(function.signature.name)}"
      arguments = (argument.name for argument in function.signature.input_arg)
      nodes = (node.name for node in function.node_def)
      for name in _repeated((*arguments, *nodes)):
        yield Finding(f"several operations are called {printable(name)}", here)
    for gradient in library.gradient:
      for name in (gradient.function_name, gradient.gradient_func):
        if name not in self.functions:
          yield Finding(f"the unknown function {printable(name)}", "the gradients")

  def _operations(self) -> Iterator[Finding]:
    restoring, idle = self._saver_functions()
    for name, node in self.nodes.items():
      here = "the graph"
      if name in self.restore_nodes:
        yield from self._check(node, RESTORING, here)
        yield from self._check_files(node, restoring, here, self.filename, self.nodes)
      else:
        zone = frozenset() if name in self.running else RESTORING | SAVING
        yield from self._check(node, zone, here)
    for name, function in self.functions.items():
      here = f"function {printable(name)}"
      yield from _check_values(values_of_function(function), "it", here)
      zone = RESTORING if name in restoring else frozenset()
      zone = RESTORING | SAVING if name in idle else zone
      nodes = {node.name: node for node in function.node_def}
      first = next((argument.name for argument in function.signature.input_arg), "")
      for node in function.node_def:
        yield from self._check(node, zone, here)
        if name in restoring:
          yield from self._check_files(node, restoring, here, full_name(first), nodes)

  def _check(
    self, node: NodeDef, zone: frozenset[str], where: str
  ) -> Iterator[Finding]:
    shown = printable(node.op)
    if node.op == _PROGRAM:
      for problem in scan_stablehlo(node.attr["module"].s):
        yield Finding(f"{shown} {problem}", where, _ASK_FOR_JAX)
    elif not any(node.op in names for names in (ALLOWED, zone, self.functions)):
      words, ask = reason(node.op)
      yield Finding(f"{shown} {words}", where, ask)
    yield from _check_values(node.attr.values(), shown, where)
    for name in functions_named(node):
      if name not in self.functions:
        yield Finding(f"a call of the unknown function {printable(name)}", where)

  def _check_files(
    self,
    node: NodeDef,
    restoring: set[str],
    where: str,
    filename: str,
    nodes: Mapping[str, NodeDef],
  ) -> Iterator[Finding]:
    """Restoring must read the files that the loader names, by its first input.

    Args:
      filename: the tensor that the loader sets.
      nodes: {name: node} of the graph or function that `node` is in.
    """
    if node.op == "RestoreV2":
      is_own = reads(node, filename, nodes)
    elif self._calls(node) & restoring:  # branches and loops pass other inputs
      is_plain = node.op in _PLAIN_CALLS or node.op in self.functions
      is_own = is_plain and reads(node, filename, nodes)
    else:
      is_own = True
    if not is_own:
      other = f"{printable(node.op)} reads other files than the model's"
      yield Finding(other, where, _ASK_FOR_GRAPH)

  def _saver_functions(self) -> tuple[set[str], set[str]]:
    """(names of functions that only restoring reaches, names of those never run)."""
    library = self.meta_graph.graph_def.library
    strict = self._reached(
      self._called_by(self.running),
      self._object_functions(),
      (gradient.gradient_func for gradient in library.gradient),
      (gradient.gradient_func for gradient in library.registered_gradients),
      # TensorFlow may replace another function by such a one.
      (f.signature.name for f in library.function if "api_implements" in f.attr),
    )
    restoring = self._reached(self._called_by(self.restore_nodes)) - strict
    others = self.nodes.keys() - self.running - self.restore_nodes
    idle = self._reached(self._called_by(others)) - strict - restoring
    return restoring, idle

  def _object_functions(self) -> Iterator[str]:
    """Functions that the objects of TensorFlow 2 can call."""
    objects = self.meta_graph.object_graph_def
    yield from objects.concrete_functions
    for node in objects.nodes:
      yield from node.function.concrete_functions
      yield node.bare_concrete_function.concrete_function_name
      yield node.captured_tensor.concrete_function

  def _called_by(self, names: Iterable[str]) -> set[str]:
    return {f for name in names for f in self._calls(self.nodes[name])}

  def _calls(self, node: NodeDef) -> set[str]:
    named = set(functions_named(node))
    return named | {node.op} if node.op in self.functions else named

  def _reached(self, *roots: Iterable[str]) -> set[str]:
    """All functions that these functions call, directly or indirectly."""
    pending = [name for names in roots for name in names]
    found = set()
    while pending:
      name = pending.pop()
      if name in found or name not in self.functions:
        continue
      found.add(name)
      for node in self.functions[name].node_def:
        pending += self._calls(node)
    return found

  def _ancestors(self, tensors: Iterable[str]) -> set[str]:
    """Names of all nodes that run when these tensors are computed."""
    pending, found = [node_of(tensor) for tensor in tensors], set()
    while pending:
      name = pending.pop()
      if name in found or name not in self.nodes:
        continue
      found.add(name)
      pending += [node_of(tensor) for tensor in self.nodes[name].input]
    return found

  def _signature_tensors(self) -> Iterator[str]:
    for signature in self.meta_graph.signature_def.values():
      for info in (*signature.inputs.values(), *signature.outputs.values()):
        yield from tensor_names(info)

  def _initialiser_names(self) -> Iterator[str]:
    signature = self.meta_graph.signature_def.get(_INIT_SIGNATURE)
    if signature is not None:
      yield from (info.name for info in signature.outputs.values())
    for name in _INITIALISERS:
      yield from collected(self.meta_graph, name)

  def _local_variables(self) -> Iterator[str]:
    """Initialisers of local variables, which run at load if there is no init op."""
    for variable in self._variables("local_variables"):
      yield variable.initializer_name

  def _variables_without_saver(self) -> Iterator[str]:
    """Variables that restoring runs if the model has no saver."""
    if self.meta_graph.HasField("saver_def"):
      return
    for name in _SAVED:
      yield from collected(self.meta_graph, name)
      for variable in self._variables(name):
        yield from (variable.variable_name, variable.snapshot_name)

  def _variables(self, collection: str) -> Iterator[VariableDef]:
    """The `VariableDef`s of a collection."""
    found = self.meta_graph.collection_def.get(collection)
    for content in found.bytes_list.value if found else ():
      try:
        yield VariableDef.FromString(content)
      except DecodeError as error:
        raise ModelError("saved_model.pb is damaged: a variable") from error

  def _initialisers(self) -> Iterator[Finding]:
    """Nothing may run at load."""
    for name in sorted(self._ancestors(self._initialiser_names())):
      op = self.nodes[name].op
      if op != "NoOp":
        what = f"{printable(op)} would run at load"
        yield Finding(what, "the initialiser", _ASK_FOR_GRAPH)
    for name in _RUN_BESIDE:
      if collected(self.meta_graph, name):
        what = "something to run beside the model"
        yield Finding(what, f"collection {name}", _ASK_FOR_GRAPH)

  def _assets(self) -> Iterator[Finding]:
    ask = "ask for an export without assets"
    for asset in self.meta_graph.asset_file_def:
      yield Finding(f"an asset, {printable(asset.filename)}", "saved_model.pb", ask)
    for name in _ASSET_COLLECTIONS:
      if collected(self.meta_graph, name):
        yield Finding("assets", f"collection {name}", ask)

  def _objects(self) -> Iterator[Finding]:
    """Objects of TensorFlow 2 that run functions when they are loaded."""
    for number, node in enumerate(self.meta_graph.object_graph_def.nodes):
      for what in _object_problems(node):
        yield Finding(what, f"object {number}", _ASK_FOR_GRAPH)


def _object_problems(node: SavedObject) -> Iterator[str]:
  kind = node.WhichOneof("kind")
  if kind == "resource":
    yield "a resource with an initialiser of its own"
  if kind == "asset":
    yield "an asset"
  if node.registered_name not in _HARMLESS_CLASSES:
    yield f"an object of the class {printable(node.registered_name)}"
  if node.registered_saver:
    yield "a saver of its own"
  for name, saveable in node.saveable_objects.items():
    if saveable.save_function or saveable.restore_function:
      yield f"functions that restore {printable(name)}"


def _repeated(names: Iterable[str]) -> list[str]:
  return [name for name, count in collections.Counter(names).items() if count > 1]


def _check_values(
  values: Iterable[AttrValue], holder: str, where: str
) -> Iterator[Finding]:
  """Every attribute must be a plain value."""
  for kind, value in attribute_values(values):
    tensors = [value.tensor] if kind == "tensor" else ()
    tensors = value.list.tensor if kind == "list" else tensors
    if any(tensor.dtype in _OBJECTS for tensor in tensors):
      yield Finding(f"{holder} holds an object, not numbers", where)
    if kind == "placeholder":
      yield Finding(f"{holder} leaves an attribute open", where)

"""A look at a SavedModel as data, before TensorFlow loads it.

TensorFlow's loader runs what a model tells it to run: initialisers of resources, the
saver's restore operation. So everything is looked at: every node of the graph and of
every function, used or not, against a list of allowed operations.
"""

import collections

from google.protobuf.message import DecodeError
from tensorflow.core.framework import types_pb2, variable_pb2
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow.python.framework import op_def_registry

from disentangle_tf.foreign.allowed_ops import ALLOWED, RESTORING, SAVING, reason
from disentangle_tf.foreign.model_error import ModelError, printable
from disentangle_tf.foreign.verdict import Finding, Verdict, summarised

MOST_NODES = 500_000
_HUB_TAGS = {frozenset(), frozenset({"train"})}
_INIT_SIGNATURE = "__saved_model_init_op"
_INITIALISERS = ("saved_model_main_op", "legacy_init_op", "saved_model_init_op")
_RUN_BESIDE = ("table_initializer", "queue_runners", "ready_op", "local_init_op")
_ASSET_COLLECTIONS = ("saved_model_assets", "asset_filepaths")
_OBJECTS = (types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT)
_HARMLESS_CLASSES = ("", "tf.TrackableConstant")


def parse_saved_model(content):
  """The `SavedModel` message of the bytes of saved_model.pb."""
  try:
    return saved_model_pb2.SavedModel.FromString(content)
  except DecodeError as error:
    raise ModelError("saved_model.pb is damaged: it cannot be parsed") from error


def kind_of(saved_model):
  """What to call it: "TF 2 SavedModel", "TF 1 SavedModel" or "TF-Hub module"."""
  graphs = saved_model.meta_graphs
  if len(graphs) == 1 and graphs[0].HasField("object_graph_def"):
    return "TF 2 SavedModel"
  return "TF-Hub module" if _tag_sets(saved_model) == _HUB_TAGS else "TF 1 SavedModel"


def main_graph(saved_model):
  """The graph to run: the only one, or the one that is not for training."""
  return min(saved_model.meta_graphs, key=lambda graph: len(graph.meta_info_def.tags))


def scan_saved_model(saved_model):
  """The `Verdict` over a parsed SavedModel."""
  graphs = saved_model.meta_graphs
  findings = []
  if not graphs:
    findings.append(Finding("there is no graph", "saved_model.pb"))
  elif len(graphs) > 1 and not (
    len(graphs) == 2 and _tag_sets(saved_model) == _HUB_TAGS
  ):
    tags = [sorted(graph.meta_info_def.tags) for graph in graphs]
    several = printable(f"several graphs, with tags {tags}")
    findings.append(Finding(several, "saved_model.pb"))
  looked_at = collections.Counter()
  for graph in graphs:
    scan = _GraphScan(graph)
    looked_at.update(scan.looked_at())
    findings += scan.findings()
  return Verdict(kind_of(saved_model), summarised(findings), dict(looked_at))


def _tag_sets(saved_model):
  return {frozenset(graph.meta_info_def.tags) for graph in saved_model.meta_graphs}


class _GraphScan:
  """The scan of one meta-graph.

  Attributes:
    running: names of the nodes that a signature or loading may run.
    restore_nodes: of those that only restoring runs; nothing runs all the others.
  """

  def __init__(self, meta_graph):
    self.meta_graph = meta_graph
    library = meta_graph.graph_def.library
    self.functions = {f.signature.name: f for f in library.function}
    self.nodes = {node.name: node for node in meta_graph.graph_def.node}
    saver = meta_graph.saver_def
    self.filename = _node_of(saver.filename_tensor_name)
    self.running = self._ancestors(
      [*self._signature_tensors(), *self._initialiser_names(), *self._local_variables()]
    )
    self.restore_nodes = self._ancestors([saver.restore_op_name]) - self.running

  def looked_at(self):
    graph = self.meta_graph.graph_def
    functions = graph.library.function
    return {
      "operations": len(graph.node) + sum(len(f.node_def) for f in functions),
      "functions": len(functions),
      "signatures": len(self.meta_graph.signature_def),
    }

  def findings(self):
    """Everything that speaks against this graph."""
    if self.looked_at()["operations"] > MOST_NODES:
      return [Finding(f"more than {MOST_NODES} operations", "the graph")]
    return [
      *self._names(),
      *self._operations(),
      *self._initialisers(),
      *self._assets(),
      *self._objects(),
    ]

  def _names(self):
    """Functions that pretend to be operations or others, and calls of nothing."""
    library = self.meta_graph.graph_def.library
    for name in self.functions:
      if op_def_registry.get(name) is not None:
        yield Finding(f"a function has the name of an operation, {name}", "the library")
    for name in _repeated(function.signature.name for function in library.function):
      yield Finding(f"several functions are called {printable(name)}", "the library")
    for name in _repeated(node.name for node in self.meta_graph.graph_def.node):
      yield Finding(f"several operations are called {printable(name)}", "the graph")
    for gradient in library.gradient:
      for name in (gradient.function_name, gradient.gradient_func):
        if name not in self.functions:
          yield Finding(f"the unknown function {printable(name)}", "the gradients")

  def _operations(self):
    restoring, idle = self._saver_functions()
    for name, node in self.nodes.items():
      here = "the graph"
      if name in self.restore_nodes:
        yield from self._check(node, RESTORING, here)
        yield from self._check_files(node, restoring, here, self.filename)
      else:
        zone = frozenset() if name in self.running else RESTORING | SAVING
        yield from self._check(node, zone, here)
    for name, function in self.functions.items():
      here = f"function {printable(name)}"
      zone = RESTORING if name in restoring else frozenset()
      zone = RESTORING | SAVING if name in idle else zone
      for node in function.node_def:
        yield from self._check(node, zone, here)
        if name in restoring:
          first = next((argument.name for argument in function.signature.input_arg), "")
          yield from self._check_files(node, restoring, here, first)

  def _check(self, node, zone, where):
    if not any(node.op in names for names in (ALLOWED, zone, self.functions)):
      yield Finding(f"{printable(node.op)} {reason(node.op)}", where)
    if any(value.tensor.dtype in _OBJECTS for value in node.attr.values()):
      yield Finding(f"{printable(node.op)} holds an object, not numbers", where)
    for name in _functions_named(node):
      if name not in self.functions:
        yield Finding(f"a call of the unknown function {printable(name)}", where)

  def _check_files(self, node, restoring, where, filename):
    """What restores must be told the files by the loader: by its first input."""
    restores = node.op == "RestoreV2" or self._calls(node) & restoring
    if restores and not self._reads_own_files(node, filename):
      yield Finding(f"{printable(node.op)} reads other files than the model's", where)

  def _reads_own_files(self, node, filename):
    source = _node_of(node.input[0]) if node.input else ""
    for _ in range(10):
      if source == filename:
        return bool(filename)
      inner = self.nodes.get(source)
      if inner is None or inner.op != "Identity" or not inner.input:
        return False
      source = _node_of(inner.input[0])
    return False

  def _saver_functions(self):
    """Names of functions that only restoring reaches, and that nothing runs."""
    library = self.meta_graph.graph_def.library
    strict = self._reached(
      self._called_by(self.running),
      self._object_functions(),
      (gradient.gradient_func for gradient in library.gradient),
      (gradient.gradient_func for gradient in library.registered_gradients),
      # TensorFlow may put such a function in another one's place.
      (f.signature.name for f in library.function if "api_implements" in f.attr),
    )
    restoring = self._reached(self._called_by(self.restore_nodes)) - strict
    others = self.nodes.keys() - self.running - self.restore_nodes
    idle = self._reached(self._called_by(others)) - strict - restoring
    return restoring, idle

  def _object_functions(self):
    """Functions that the objects of TensorFlow 2 can call."""
    objects = self.meta_graph.object_graph_def
    yield from objects.concrete_functions
    for node in objects.nodes:
      yield from node.function.concrete_functions
      yield node.bare_concrete_function.concrete_function_name
      yield node.captured_tensor.concrete_function

  def _called_by(self, names):
    return {f for name in names for f in self._calls(self.nodes[name])}

  def _calls(self, node):
    named = set(_functions_named(node))
    return named | {node.op} if node.op in self.functions else named

  def _reached(self, *roots):
    """All functions that calls from these functions lead to."""
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

  def _ancestors(self, tensors):
    """Names of all nodes that computing these tensors runs."""
    pending, found = [_node_of(tensor) for tensor in tensors], set()
    while pending:
      name = pending.pop()
      if name in found or name not in self.nodes:
        continue
      found.add(name)
      pending += [_node_of(tensor) for tensor in self.nodes[name].input]
    return found

  def _signature_tensors(self):
    for signature in self.meta_graph.signature_def.values():
      for info in (*signature.inputs.values(), *signature.outputs.values()):
        yield from _tensor_names(info)

  def _initialiser_names(self):
    signature = self.meta_graph.signature_def.get(_INIT_SIGNATURE)
    if signature is not None:
      yield from (info.name for info in signature.outputs.values())
    for name in _INITIALISERS:
      yield from _collected(self.meta_graph, name)

  def _local_variables(self):
    """The initialisers of local variables, which run at load without an init op."""
    collection = self.meta_graph.collection_def.get("local_variables")
    for content in collection.bytes_list.value if collection else ():
      try:
        yield variable_pb2.VariableDef.FromString(content).initializer_name
      except DecodeError as error:
        raise ModelError("saved_model.pb is damaged: a variable") from error

  def _initialisers(self):
    """What runs at load must be nothing."""
    for name in sorted(self._ancestors(self._initialiser_names())):
      op = self.nodes[name].op
      if op != "NoOp":
        yield Finding(f"{printable(op)} would run at load", "the initialiser")
    for name in _RUN_BESIDE:
      if _collected(self.meta_graph, name):
        yield Finding("something to run beside the model", f"collection {name}")

  def _assets(self):
    for asset in self.meta_graph.asset_file_def:
      yield Finding(f"an asset, {printable(asset.filename)}", "saved_model.pb")
    for name in _ASSET_COLLECTIONS:
      if _collected(self.meta_graph, name):
        yield Finding("assets", f"collection {name}")

  def _objects(self):
    """Objects of TensorFlow 2 that run functions of their own when they are loaded."""
    for number, node in enumerate(self.meta_graph.object_graph_def.nodes):
      kind = node.WhichOneof("kind")
      if kind in ("resource", "asset"):
        yield Finding(f"a {kind} with an initialiser of its own", f"object {number}")
      if node.registered_name not in _HARMLESS_CLASSES:
        name = printable(node.registered_name)
        yield Finding(f"an object of the class {name}", f"object {number}")
      if node.registered_saver:
        yield Finding("a saver of its own", f"object {number}")
      for name, saveable in node.saveable_objects.items():
        if saveable.save_function or saveable.restore_function:
          yield Finding(f"functions that restore {printable(name)}", f"object {number}")


def _repeated(names):
  return [name for name, count in collections.Counter(names).items() if count > 1]


def _node_of(tensor):
  """The node's name of "^node", "node:output:0" or "node"."""
  return tensor.removeprefix("^").split(":")[0]


def _tensor_names(info):
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
      name for part in info.composite_tensor.components for name in _tensor_names(part)
    ]
  return []


def _functions_named(node):
  """Names of the functions that a node's attributes call."""
  pending = list(node.attr.values())
  while pending:
    value = pending.pop()
    called = [value.func] if value.HasField("func") else list(value.list.func)
    for function in called:
      yield function.name
      pending += function.attr.values()


def _collected(meta_graph, name):
  """The nodes or bytes of a collection, if there is one."""
  if name not in meta_graph.collection_def:
    return []
  collection = meta_graph.collection_def[name]
  return [
    *collection.node_list.value,
    *(value.decode(errors="replace") for value in collection.bytes_list.value),
    *(value.type_url for value in collection.any_list.value),
  ]

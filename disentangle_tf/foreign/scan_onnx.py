"""A look at an ONNX file as data, before onnxruntime loads it."""

from google.protobuf.message import DecodeError

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.model_error import ModelError, printable
from disentangle_tf.foreign.offer import Offer, Tensor
from disentangle_tf.foreign.verdict import Finding, Verdict

_STANDARD = ("", "ai.onnx")
# Of the standard, but they parse files or texts.
_REFUSED = ("ImageDecoder", "RegexFullMatch", "StringNormalizer", "StringSplit")


def parse_onnx(content):
  """The `ModelProto` of an ONNX file's bytes."""
  onnx = _import_onnx()
  try:
    return onnx.ModelProto.FromString(content)
  except DecodeError as error:
    raise ModelError("the ONNX file is damaged: it cannot be parsed") from error


def scan_onnx(model):
  """The `Verdict`: standard operators, all data inside, nothing else."""
  findings, counts = [], {"operations": 0, "functions": len(model.functions)}
  own = {(function.domain, function.name) for function in model.functions}
  graphs = [(model.graph, "the graph")]
  for function in model.functions:
    findings += _check_nodes(function.node, f"function {function.name}", own, counts)
    graphs += _inner_graphs(function.node, f"function {function.name}")
  while graphs:
    graph, where = graphs.pop()
    findings += _check_nodes(graph.node, where, own, counts)
    findings += _check_tensors(graph.initializer, where)
    for sparse in graph.sparse_initializer:
      findings += _check_tensors([sparse.values, sparse.indices], where)
    graphs += _inner_graphs(graph.node, f"an inner graph of {where}")
  if not model.graph.node:
    findings.append(Finding("there is no operation", "the graph"))
  return Verdict("ONNX", tuple(dict.fromkeys(findings)), counts)


def onnx_offers(model):
  """The one `Offer` of an ONNX file."""
  constants = {tensor.name for tensor in model.graph.initializer}
  inputs = [value for value in model.graph.input if value.name not in constants]
  return [
    Offer("onnx", tuple(map(_tensor, inputs)), tuple(map(_tensor, model.graph.output)))
  ]


def _check_nodes(nodes, where, own, counts):
  onnx = _import_onnx()
  for node in nodes:
    counts["operations"] += 1
    standard = node.domain in _STANDARD and onnx.defs.has(node.op_type)
    allowed = standard and node.op_type not in _REFUSED
    if not allowed and (node.domain, node.op_type) not in own:
      name = printable(f"{node.domain}::{node.op_type}".removeprefix("::"))
      yield Finding(f"{name} is not an operator of the ONNX standard", where)
    for attribute in node.attribute:
      yield from _check_tensors([attribute.t, *attribute.tensors], where)


def _inner_graphs(nodes, where):
  for node in nodes:
    for attribute in node.attribute:
      if attribute.HasField("g"):
        yield attribute.g, where
      yield from ((graph, where) for graph in attribute.graphs)


def _check_tensors(tensors, where):
  for tensor in tensors:
    if tensor.data_location or tensor.external_data:
      places = [entry.value for entry in tensor.external_data][:1]
      yield Finding(f"data in another file, {printable(places)}", where)


def _tensor(value):
  onnx = _import_onnx()
  kind = value.type.tensor_type
  try:
    dtype = str(onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type))
  except KeyError:
    dtype = "unknown"
  if not kind.HasField("shape"):
    return Tensor(value.name, dtype, None)
  sizes = (d.dim_value if d.HasField("dim_value") else None for d in kind.shape.dim)
  return Tensor(value.name, dtype, tuple(sizes))


def _import_onnx():
  try:
    import onnx
    import onnx.helper
    import onnxruntime  # noqa: F401  (what will run it)
  except ImportError as error:
    raise UserError(
      'ONNX files need two packages: pip install -e ".[onnx]" -c constraints.txt'
    ) from error
  return onnx

"""A look at an ONNX file as data, before onnxruntime loads it."""

import re

from google.protobuf.message import DecodeError, Message

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.model_error import ModelError, printable
from disentangle_tf.foreign.offer import Offer, Tensor
from disentangle_tf.foreign.verdict import Finding, Verdict, summarised

_STANDARD = ("", "ai.onnx")
# Of the standard, but they parse files or texts.
_REFUSED = ("ImageDecoder", "RegexFullMatch", "StringNormalizer", "StringSplit")
# Domains whose operators onnxruntime brings along, whatever a model says they do.
_BUILT_IN = re.compile(r"|ai\.onnx\b.*|com\.(microsoft|ms)\b.*|org\.pytorch\b.*")


def parse_onnx(content):
  """The `ModelProto` of an ONNX file's bytes."""
  onnx = _import_onnx()
  try:
    return onnx.ModelProto.FromString(content)
  except DecodeError as error:
    raise ModelError("the ONNX file is damaged: it cannot be parsed") from error


def scan_onnx(model):
  """The `Verdict`: standard operators, all data inside, nothing else."""
  own = {(function.domain, function.name) for function in model.functions}
  findings, counts = [], {"operations": 0, "functions": len(model.functions)}
  pending = [(model, "the graph")]
  while pending:  # every part, wherever the format allows it to be
    message, where = pending.pop()
    parts = list(_parts(message))
    kind = message.DESCRIPTOR.name
    if kind == "FunctionProto":
      where = f"function {printable(message.name)}"
      findings += _check_function(message, where)
    elif kind == "NodeProto":
      counts["operations"] += 1
      findings += _check_node(message, where, own)
    elif kind == "TensorProto":
      findings += _check_tensor(message, where)
    elif kind == "AttributeProto" and "inner graph" not in where:
      where = f"an inner graph of {where}" if message.HasField("g") else where
    pending += [(part, where) for part in parts]
  if not model.graph.node:
    findings.append(Finding("there is no operation", "the graph"))
  return Verdict("ONNX", summarised(findings), counts)


def onnx_offers(model):
  """The one `Offer` of an ONNX file."""
  constants = {tensor.name for tensor in model.graph.initializer}
  inputs = [value for value in model.graph.input if value.name not in constants]
  return [
    Offer("onnx", tuple(map(_tensor, inputs)), tuple(map(_tensor, model.graph.output)))
  ]


def _parts(message):
  """All messages that a message holds directly."""
  for field, value in message.ListFields():
    values = [value] if isinstance(value, Message | str | bytes) else value
    if field.message_type:
      yield from values
    elif field.type == field.TYPE_STRING and not all(map(_is_text, values)):
      raise ModelError("the ONNX file is damaged: a name in it is no text")


def _is_text(value):
  return isinstance(value, str)  # what is not UTF-8 is left as bytes


def _check_function(function, where):
  if _BUILT_IN.fullmatch(function.domain):
    yield Finding("a function that pretends to be a built-in operator", where)


def _check_node(node, where, own):
  name = printable(f"{node.domain}::{node.op_type}".removeprefix("::"))
  standard = node.domain in _STANDARD and _import_onnx().defs.has(node.op_type)
  if standard and node.op_type in _REFUSED:
    yield Finding(f"{name} parses files or texts", where)
  elif not standard and (node.domain, node.op_type) not in own:
    yield Finding(f"{name} is not an operator of the ONNX standard", where)


def _check_tensor(tensor, where):
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
  sizes = (d.dim_value if d.dim_value > 0 else None for d in kind.shape.dim)
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

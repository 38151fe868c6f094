"""Scans an ONNX file as data: which operators and files have it refused."""

from __future__ import annotations

import mmap
import re
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError, Message

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.copy_model import ONNX_FILE, is_plain
from disentangle_tf.foreign.scan.verdict import (
  Finding,
  Offer,
  Tensor,
  Verdict,
  summarised,
)
from disentangle_tf.foreign.scan.without_numbers import (
  NUMBERS_AND_NODES,
  without_numbers,
)
from disentangle_tf.text import printable

if TYPE_CHECKING:
  import pathlib
  import types
  from collections.abc import Iterator, Mapping

  from onnx import FunctionProto, ModelProto, NodeProto, TensorProto, ValueInfoProto

MOST_BYTES = 64 * 2**20  # without its numbers; a scan may take 50 times as much memory
_STANDARD = ("", "ai.onnx")
_LEARNING = "ai.onnx.ml"
# Operators of the standard that parse files or texts.
_REFUSED = ("ImageDecoder", "RegexFullMatch", "StringNormalizer", "StringSplit")
# Operators of the domain ai.onnx.ml that need no texts or dictionaries.
_LEARNERS = (
  "ArrayFeatureExtractor",
  "Binarizer",
  "FeatureVectorizer",
  "Imputer",
  "LabelEncoder",
  "LinearClassifier",
  "LinearRegressor",
  "Normalizer",
  "OneHotEncoder",
  "SVMClassifier",
  "SVMRegressor",
  "Scaler",
  "TreeEnsemble",
  "TreeEnsembleClassifier",
  "TreeEnsembleRegressor",
)
# Domains of operators in onnxruntime, which a model cannot redefine.
_BUILT_IN = re.compile(r"|ai\.onnx\b.*|com\.(microsoft|ms)\b.*|org\.pytorch\b.*")
_ENTRIES = {"location", "offset", "length", "checksum"}  # keys of data in another file
_ASK = "ask for an ONNX file with operators of the standard alone"
_ASK_FOR_NUMBERS = "ask for an ONNX file of the encoder alone, of numbers"
_ASK_FOR_DATA = (
  "ask for one file with all its weights, or for its data in files beside it, such as "
  "X.onnx.data"
)


def look_at_onnx(folder: pathlib.Path) -> tuple[Verdict, list[Offer]]:
  """Scan a copy that `copy_model` made: (`Verdict`, `Offer`s)."""
  file = folder / ONNX_FILE
  sizes = {other.name: other.stat().st_size for other in folder.iterdir()}
  if not sizes.pop(ONNX_FILE):
    raise ModelError("the ONNX file is empty")
  with file.open("rb") as opened:
    content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
  kept = without_numbers(content)
  if len(kept) <= MOST_BYTES:
    model = parse_onnx(kept)
    return scan_onnx(model, sizes), onnx_offers(model)
  large = Finding(
    f"more than {MOST_BYTES:,} bytes beside its weights",
    "the file",
    "ask for a smaller one, with its weights as initialisers",
  )
  model = parse_onnx(without_numbers(content, NUMBERS_AND_NODES))
  return Verdict("ONNX", (large,)), onnx_offers(model)


def parse_onnx(content: bytes) -> ModelProto:
  """The `ModelProto` of an ONNX file's bytes."""
  onnx = _import_onnx()
  try:
    return onnx.ModelProto.FromString(content)
  except DecodeError as error:
    raise ModelError("the ONNX file is damaged: it cannot be parsed") from error


def scan_onnx(model: ModelProto, sizes: Mapping[str, int]) -> Verdict:
  """The `Verdict`: only standard operators, and data inside or beside the file.

  Args:
    model: the `ModelProto`.
    sizes: {name: bytes} of the files beside it, which may hold its data.
  """
  own = {(function.domain, function.name) for function in model.functions}
  findings, counts = [], {"operations": 0, "functions": len(model.functions)}
  pending: list[tuple[Any, str]] = [(model, "the graph")]
  while pending:  # every message, at any place in the file
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
      findings += _check_tensor(message, where, sizes)
    elif kind == "AttributeProto" and "inner graph" not in where:
      where = f"an inner graph of {where}" if message.HasField("g") else where
    pending += [(part, where) for part in parts]
  if not model.graph.node:
    findings.append(Finding("there is no operation", "the graph"))
  return Verdict("ONNX", summarised(findings), counts)


def onnx_offers(model: ModelProto) -> list[Offer]:
  """The only `Offer` of an ONNX file."""
  constants = {tensor.name for tensor in model.graph.initializer}
  inputs = [value for value in model.graph.input if value.name not in constants]
  return [
    Offer("onnx", tuple(map(_tensor, inputs)), tuple(map(_tensor, model.graph.output)))
  ]


def _parts(message: Message) -> Iterator[Any]:
  """All messages that a message holds directly."""
  for field, value in message.ListFields():
    values = [value] if isinstance(value, Message | str | bytes) else value
    if field.message_type:
      yield from values
    elif field.type == field.TYPE_STRING and not all(map(_is_text, values)):
      raise ModelError("the ONNX file is damaged: a name in it is not a text")


def _is_text(value: object) -> bool:
  return isinstance(value, str)  # bytes that are not UTF-8 stay bytes


def _check_function(function: FunctionProto, where: str) -> Iterator[Finding]:
  if _BUILT_IN.fullmatch(function.domain):
    what = "a function that pretends to be a built-in operator"
    yield Finding(what, where, _ASK)


def _check_node(
  node: NodeProto, where: str, own: set[tuple[str, str]]
) -> Iterator[Finding]:
  name = printable(f"{node.domain}::{node.op_type}".removeprefix("::"))
  domain = "" if node.domain in _STANDARD else node.domain
  standard = domain in ("", _LEARNING)
  if standard and not _import_onnx().defs.has(node.op_type, domain):
    standard = False
  if standard and node.op_type in _REFUSED:
    yield Finding(f"{name} parses files or texts", where, _ASK_FOR_NUMBERS)
  elif standard and domain and node.op_type not in _LEARNERS:
    yield Finding(f"{name} works on texts or dictionaries", where, _ASK_FOR_NUMBERS)
  elif not standard and (node.domain, node.op_type) not in own:
    yield Finding(f"{name} is not an operator of the ONNX standard", where, _ASK)


def _check_tensor(
  tensor: TensorProto, where: str, sizes: Mapping[str, int]
) -> Iterator[Finding]:
  """Data outside the file must lie in a file beside it, and be complete."""
  if not (tensor.data_location or tensor.external_data):
    return
  entries = {entry.key: entry.value for entry in tensor.external_data}
  place = entries.get("location", "")
  numbers = [entries.get(key, "0") for key in ("offset", "length")]
  is_clear = (
    is_plain(place)
    and entries.keys() <= _ENTRIES
    and len(entries) == len(tensor.external_data)
    and all(re.fullmatch("[0-9]{1,18}", number) for number in numbers)
  )
  shown = printable(place)
  if not is_clear:
    yield Finding(f"data in another file, {shown}", where, _ASK_FOR_DATA)
  elif place not in sizes:
    what = f"data in the file {shown}, which is not beside it"
    yield Finding(what, where, f"ask for {shown}, too, or for one file")
  elif sum(map(int, numbers)) > sizes[place]:
    what = f"data beyond the end of {shown}"
    yield Finding(what, where, f"ask for {shown} again: it is cut short, or another's")


def _tensor(value: ValueInfoProto) -> Tensor:
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


def _import_onnx() -> types.ModuleType:
  import onnx
  import onnx.helper

  return onnx

"""Scans a .keras file as data: which layers and classes have it refused."""

from __future__ import annotations

import collections
import json
import re
import zipfile
import zlib
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.scan.allowed_keras import (
  LAYERS,
  OPERATIONS,
  TENSORFLOW_FUNCTIONS,
)
from disentangle_tf.foreign.scan.read_arrays import zip_members
from disentangle_tf.foreign.scan.verdict import (
  Finding,
  Offer,
  Tensor,
  Verdict,
  summarised,
)
from disentangle_tf.text import printable

if TYPE_CHECKING:
  import pathlib
  from collections.abc import Iterable, Iterator
  from typing import Any

_FILES = {"metadata.json", "config.json", "model.weights.h5"}
_MOST_CONFIG_BYTES = 16 * 2**20
_MOST_BYTES = 4 * 2**30
_DEEPEST = 100
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError)
_DAMAGED += (KeyError, ValueError)

_LITERALS = (
  "__ellipsis__",
  "__keras_tensor__",
  "__numpy__",
  "__slice__",
  "__tensor__",
  "__tuple__",
)
_MODELS = frozenset({"Functional", "Sequential"})
_KERAS_2 = ("keras.src.engine.functional", "tf_keras.src.engine.functional")
_MODEL_MODULES = ("keras", "keras.models", "keras.src.models.functional", *_KERAS_2)
# Their classes hold numbers and names; the last three belong to compiled parts.
_PARTS = (
  "keras.constraints",
  "keras.dtype_policies",
  "keras.initializers",
  "keras.regularizers",
  "keras.losses",
  "keras.metrics",
  "keras.optimizers",
)
_OTHER_PARTS = (("keras", "DTypePolicy"), ("keras.random", "SeedGenerator"))
_TENSORFLOW_LAYERS = ("TFOpLambda", "SlicingOpLambda")  # of Keras 2
_ASK = (
  "ask for a SavedModel, written by model.export(), or an ONNX file: they need no code"
)
_ASK_FOR_IMAGES = "ask for a model that takes images alone"


def look_at_keras(path: pathlib.Path) -> tuple[Verdict, list[Offer], str]:
  """Scan a .keras file: (`Verdict`, `Offer`s, kind for `running.load_model`)."""
  config, names = read_keras_config(path)
  verdict = scan_keras(config, names)
  own = is_of_this_project(config)  # code of this project, so only a trusted file loads
  kind = "own_keras" if own else "keras_2" if is_of_keras_2(config) else "keras"
  try:
    offers = own_offers(config) if own else keras_offers(config)
  except ModelError:
    if verdict.allowed:
      raise
    offers = []  # custom classes, which do not state their inputs
  return verdict, offers, kind


def read_keras_config(path: pathlib.Path) -> tuple[dict[str, Any], list[str]]:
  """Read a .keras file: (its config, names of the files inside)."""
  try:
    with zipfile.ZipFile(path) as archive:
      members = zip_members(archive, most_bytes=_MOST_BYTES)
      if archive.getinfo("config.json").file_size > _MOST_CONFIG_BYTES:
        raise ModelError(
          f"refused: its config.json is larger than {_MOST_CONFIG_BYTES:,} bytes"
        )
      config = json.loads(archive.read("config.json"))
  except _DAMAGED as error:
    if isinstance(error, ModelError):
      raise
    raise ModelError("it is not a .keras file: its config cannot be read") from error
  if not isinstance(config, dict):
    raise ModelError("it is not a .keras file: its config describes no model")
  return config, sorted(member.filename for member in members)


def scan_keras(config: dict[str, Any], names: Iterable[str]) -> Verdict:
  """The `Verdict`: only layers of Keras, and no code."""
  findings = [
    Finding(
      f"a file that does not belong there, {printable(name)}",
      "the archive",
      _ASK_FOR_IMAGES,
    )
    for name, count in collections.Counter(names).items()
    if name not in _FILES or count > 1
  ]
  counts = {"objects": 0}
  # `load_model(compile=False)` skips how the whole model was compiled, but not how its
  # parts were.
  pending: list[tuple[Any, int]] = [({**config, "compile_config": None}, 0)]
  while pending:
    value, depth = pending.pop()
    if depth > _DEEPEST:
      findings.append(Finding("more than 100 levels", "config.json"))
      break
    if isinstance(value, dict):
      if "class_name" in value:
        counts["objects"] += 1
        findings += _check_object(value)
      pending += [(inner, depth + 1) for inner in value.values()]
    elif isinstance(value, list):
      pending += [(inner, depth + 1) for inner in value]
  return Verdict("Keras file", summarised(findings), counts)


def is_of_this_project(config: dict[str, Any]) -> bool:
  """Whether a .keras file says that it holds one of `disentangle_tf.models`."""
  return str(config.get("registered_name")).startswith("disentangle_tf>")


def is_of_keras_2(config: dict[str, Any]) -> bool:
  """Whether a .keras file was written by Keras 2, which Keras 3 cannot load."""
  pending: list[Any] = [config]  # its own config, and the configs of its layers
  while pending:
    value = pending.pop()
    if isinstance(value, dict):
      if value.get("module") in _KERAS_2 or "batch_input_shape" in value:
        return True
      pending += [value.get("config"), value.get("layers")]
    elif isinstance(value, list):
      pending += value
  return False


def own_offers(config: dict[str, Any]) -> list[Offer]:
  """The `Offer`s of a model of this project, as in `export.signatures`."""
  try:
    arguments = config["config"]
    images = _only_input(arguments["encoder"]["config"])
    decoder = arguments.get("decoder")
    if decoder is None:
      latents = arguments.get("latents")
    else:
      shape = _only_input(decoder["config"]).shape
      if shape is None:
        raise TypeError("the decoder's input has no shape")
      latents = shape[-1]
  except (AttributeError, KeyError, TypeError) as error:
    raise ModelError("its config does not describe layers as Keras does") from error
  images = Tensor("images", "float32", images.shape)
  codes, mean, log_variance = (
    Tensor(name, "float32", (None, latents))
    for name in ("codes", "mean", "log_variance")
  )
  offers = [Offer("encode", (images,), (mean, log_variance))]
  if decoder is not None:
    again = Tensor("reconstructions", "float32", images.shape)
    offers += [
      Offer("decode", (codes,), (images,)),
      Offer("reconstruct", (images,), (again,)),
    ]
  return offers


def keras_offers(config: dict[str, Any]) -> list[Offer]:
  """The only `Offer`; the config of Keras does not state shapes of outputs."""
  try:
    inner = config["config"]
    inputs, outputs = _inputs(inner), _output_names(inner.get("output_layers"))
  except (AttributeError, KeyError, TypeError) as error:
    raise ModelError("its config does not describe layers as Keras does") from error
  if not inputs:
    raise ModelError("it has 0 inputs: its config names no Input layer")
  return [Offer("keras", inputs, outputs)]


def _only_input(config: dict[str, Any]) -> Tensor:
  """The only input of a functional model."""
  inputs = _inputs(config)
  if len(inputs) != 1:
    raise ModelError(f"it has {len(inputs)} inputs: only models with one are read")
  return inputs[0]


def _inputs(config: dict[str, Any]) -> tuple[Tensor, ...]:
  return tuple(
    _input_tensor(layer["config"])
    for layer in config["layers"]
    if layer["class_name"] == "InputLayer"
  )


def _input_tensor(config: dict[str, Any]) -> Tensor:
  shape = config.get("batch_shape") or config.get("batch_input_shape")
  dtype = config.get("dtype")
  if not all(size is None or type(size) is int for size in shape or ()):
    raise TypeError("sizes must be whole numbers")
  return Tensor(
    str(config.get("name", "input")),
    dtype if isinstance(dtype, str) else "float32",
    tuple(shape) if shape else None,
  )


def _output_names(outputs: Any) -> tuple[Tensor, ...]:
  if isinstance(outputs, dict):
    names = list(outputs)
  else:
    single = not outputs or not isinstance(outputs[0], list)
    names = [f"output_{i}" for i in range(1 if single else len(outputs))]
  return tuple(Tensor(name, "float32", None) for name in names)


def _check_object(value: dict[str, Any]) -> Iterator[Finding]:
  """Every object must be of a class of Keras, and only compute."""
  name, module = str(value["class_name"]), value.get("module")
  problem = _problem(name, str(module), value)
  if problem:
    yield Finding(problem, "config.json", _ASK)


def _problem(name: str, module: str, value: dict[str, Any]) -> str | None:
  """The reason to refuse an object, or None."""
  shown = printable(f"{module}.{name}")
  if value.get("registered_name") not in (None, name):
    return f"the custom class {shown}"
  if name.startswith("__") or name == "function":
    return None if name in _LITERALS else f"code or data, {shown}"
  if module == "keras.layers":
    return None if name in LAYERS else f"the layer {shown} is not on the list"
  if module in OPERATIONS:
    known = name in OPERATIONS[module]
    return None if known else f"the operation {shown} is not on the list"
  if name in _TENSORFLOW_LAYERS and module.endswith(
    "keras.src.layers.core.tf_op_layer"
  ):
    return _problem_of_function(value)
  is_model = name in _MODELS and module in _MODEL_MODULES
  is_part = module in _PARTS and re.fullmatch("[A-Z][A-Za-z0-9]*", name)  # no function
  if is_model or is_part or (module, name) in _OTHER_PARTS:
    return None
  return f"the class {shown} is not Keras' own"


def _problem_of_function(value: dict[str, Any]) -> str | None:
  config = value.get("config")
  called = config.get("function") if isinstance(config, dict) else None
  if isinstance(called, str) and called in TENSORFLOW_FUNCTIONS:
    return None
  return f"the function tf.{printable(called)} is not on the list"

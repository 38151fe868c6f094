"""What makes a model of an HDF5 file: Keras's old format, its weights, or codes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from disentangle_tf.foreign.scan.allowed_keras import LAYERS
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from disentangle_tf.foreign.open_file import Glance

_MODEL = (
  "has an old format of Keras; {imports}keras.models.load_model('{file}', "
  "compile=False).save('{stem}.keras') makes a model of it"
)
_CUT = (
  "has an old format of Keras, with code of its own in {where}; where the file was "
  "made (loading it runs that code), {imports}model = keras.models.load_model("
  "'{file}', {options}){inside}; keras.Model(model.inputs, {outputs}).save("
  "'{stem}.keras') makes a model of what comes before"
)
_WEIGHTS = (
  "holds weights of Keras, without the network; where its code is, "
  "model.load_weights('{file}'); model.save('{stem}.keras') makes a model of them"
)
_ARRAYS = (
  "is an HDF5 file of arrays; with h5py.File('{file}') as file: np.savez("
  "'{stem}.npz', codes=file['codes'], factors=file['factors']) makes a file that can "
  "be scored"
)
_STARTS = re.compile(rb'\{"class_name": "(?:Functional|Model|Sequential)"')
_KERAS_2 = "import tf_keras as keras; "
_KERAS_3 = "import keras; "
_DEEPEST = 20  # models within models


def keras_advice(found: Glance) -> str:
  """The advice for an HDF5 file, with {file} and {stem} for its name."""
  if b"model_config" not in found:
    named = (b"layer_names", b"weight_names", b"_layer_checkpoint_dependencies")
    weights = any(name in found for name in named)
    weights = weights or (b"layers" in found and b"vars" in found)
    return _WEIGHTS if weights else _ARRAYS
  config = _config(found.head)
  imports = _KERAS_2 if b"batch_input_shape" in found else _KERAS_3
  own = next(_own_code(config), None)
  if own is None:
    return _MODEL.replace("{imports}", imports)
  models, layer, before = own
  calls = {
    "where": _quoted(layer["name"]),
    "imports": imports,
    "options": _options(layer, imports),
    "inside": "".join(f".get_layer({_quoted(name)})" for name in models),
    "outputs": _outputs(before),
  }
  text = _CUT
  for name, value in calls.items():
    text = text.replace(f"{{{name}}}", value.replace("{", "{{").replace("}", "}}"))
  return text


def _config(content: bytes) -> Any:
  """The configuration of the model, read as JSON; {} if it is not found whole."""
  start = _STARTS.search(content)
  if start is None:
    return {}
  text = content[start.start() :].decode(errors="replace")
  try:
    return json.JSONDecoder().raw_decode(text)[0]
  except (ValueError, RecursionError):
    return {}


def _own_code(
  config: Any, models: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, Any], list[str]]]:
  """(names of the models around it, a layer with code of its own, layers before it)."""
  try:
    layers = config["config"]["layers"]
    for layer in layers:
      if not (isinstance(layer["name"], str) and isinstance(layer["config"], dict)):
        continue
      if "layers" in layer["config"] and len(models) < _DEEPEST:
        yield from _own_code(layer, (*models, layer["name"]))
      elif _has_own_code(layer):
        yield models, layer, list(dict.fromkeys(_before(layer["inbound_nodes"])))
  except (AttributeError, KeyError, RecursionError, TypeError):
    return  # not a configuration of layers


def _has_own_code(layer: dict[str, Any]) -> bool:
  name, module = layer["class_name"], layer.get("module")
  if name in LAYERS or name in ("TFOpLambda", "SlicingOpLambda"):
    return False
  of_keras = isinstance(module, str) and module.split(".")[0] in ("keras", "tf_keras")
  return name == "Lambda" or not of_keras


def _before(nodes: Any) -> Iterator[str]:
  """Names of layers in inbound nodes, of Keras 2 and of Keras 3."""
  if isinstance(nodes, dict):
    history = nodes.get("keras_history")
    if isinstance(history, list) and history and isinstance(history[0], str):
      yield history[0]
      return
    nodes = list(nodes.values())
  if isinstance(nodes, list):
    if len(nodes) >= 3 and isinstance(nodes[0], str) and isinstance(nodes[1], int):
      yield nodes[0]
      return
    for node in nodes:
      yield from _before(node)


def _options(layer: dict[str, Any], imports: str) -> str:
  """Arguments of load_model with which the layer's own code need not be found."""
  given = "compile=False"
  function = layer["config"].get("function")
  if isinstance(function, dict):
    if function.get("class_name") == "__lambda__":
      return f"{given}, safe_mode=False"
    function = function.get("config")
  if layer["class_name"] != "Lambda":
    kind = _quoted(layer["class_name"])
    first = "{'call': lambda self, parts: parts[0]}"
    own = f"type({kind}, (keras.layers.Layer,), {first})"
    return f"{given}, custom_objects={{{kind}: {own}}}"
  if isinstance(function, str):
    first = "lambda parts: parts[0]"
    return f"{given}, custom_objects={{{_quoted(function)}: {first}}}"
  return given if imports == _KERAS_2 else f"{given}, safe_mode=False"


def _outputs(names: list[str]) -> str:
  found = [f"model.get_layer({_quoted(name)}).output" for name in names[:4]]
  return f"[{', '.join(found)}]"


def _quoted(name: Any) -> str:
  """A foreign name as a string of Python that can be printed; braces are dropped."""
  return repr(re.sub(r"[{}]", "", printable(name, longest=60)))

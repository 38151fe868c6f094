"""A look at a .keras file as data, before Keras loads it in safe mode."""

import collections
import json
import zipfile
import zlib

from disentangle_tf.foreign.model_error import ModelError, printable
from disentangle_tf.foreign.offer import Offer, Tensor
from disentangle_tf.foreign.verdict import Finding, Verdict, summarised

_FILES = {"metadata.json", "config.json", "model.weights.h5"}
_MOST_CONFIG_BYTES = 16 * 2**20
_MOST_BYTES = 4 * 2**30
_DEEPEST = 100
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError)
_DAMAGED += (KeyError, ValueError)

# Layers that compute; not those that hold code (Lambda, TFSMLayer, TorchModuleWrapper,
# JaxLayer, FlaxLayer) or read vocabularies.
_LAYERS = """
Activation Add AlphaDropout Average AveragePooling1D AveragePooling2D
AveragePooling3D BatchNormalization Concatenate Conv1D Conv1DTranspose Conv2D
Conv2DTranspose Conv3D Conv3DTranspose Cropping1D Cropping2D Cropping3D Dense
DepthwiseConv1D DepthwiseConv2D Dot Dropout ELU EinsumDense Flatten GaussianDropout
GaussianNoise GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D
GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D GroupNormalization Identity
InputLayer LayerNormalization LeakyReLU Maximum MaxPooling1D MaxPooling2D MaxPooling3D
Minimum Multiply Normalization PReLU Permute RMSNormalization ReLU RepeatVector
Rescaling Reshape Resizing SeparableConv1D SeparableConv2D Softmax SpatialDropout1D
SpatialDropout2D SpatialDropout3D SpectralNormalization Subtract UnitNormalization
UpSampling1D UpSampling2D UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D
""".split()  # noqa: SIM905
_LITERALS = ("__tuple__", "__keras_tensor__", "__slice__")
_MODELS = frozenset({"Functional", "Sequential"})
_MODEL_MODULES = ("keras", "keras.models", "keras.src.models.functional")
_PARTS = (
  "keras.activations",
  "keras.constraints",
  "keras.dtype_policies",
  "keras.initializers",
  "keras.regularizers",
)


def read_keras_config(path):
  """(config, names of the files inside) of a .keras file."""
  try:
    with zipfile.ZipFile(path) as archive:
      files = archive.infolist()
      if sum(file.file_size for file in files) > _MOST_BYTES:
        raise ModelError(f"refused: it unpacks to more than {_MOST_BYTES:,} bytes")
      if archive.getinfo("config.json").file_size > _MOST_CONFIG_BYTES:
        raise ModelError(
          f"refused: its config.json is larger than {_MOST_CONFIG_BYTES:,} bytes"
        )
      config = json.loads(archive.read("config.json"))
  except _DAMAGED as error:
    if isinstance(error, ModelError):
      raise
    raise ModelError("it is no .keras file: its config cannot be read") from error
  if not isinstance(config, dict):
    raise ModelError("it is no .keras file: its config describes no model")
  return config, sorted(file.filename for file in files)


def scan_keras(config, names):
  """The `Verdict`: only Keras' own layers, no code."""
  findings = [
    Finding(f"a file that does not belong there, {printable(name)}", "the archive")
    for name, count in collections.Counter(names).items()
    if name not in _FILES or count > 1
  ]
  counts = {"objects": 0}
  pending = [(config, 0)]
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


def keras_offers(config):
  """The one `Offer`; Keras' config does not tell the shapes of outputs."""
  try:
    inner = config["config"]
    inputs = [
      layer["config"]
      for layer in inner["layers"]
      if layer["class_name"] == "InputLayer"
    ]
    if len(inputs) != 1:
      raise ModelError(f"it has {len(inputs)} inputs: only models with one are read")
    outputs = _output_names(inner.get("output_layers"))
    return [Offer("keras", (_input_tensor(inputs[0]),), outputs)]
  except (AttributeError, KeyError, TypeError) as error:
    raise ModelError("its config does not describe layers as Keras does") from error


def _input_tensor(config):
  shape = config.get("batch_shape") or config.get("batch_input_shape")
  dtype = config.get("dtype")
  if not all(size is None or type(size) is int for size in shape or ()):
    raise TypeError("sizes must be whole numbers")
  return Tensor(
    str(config.get("name", "input")),
    dtype if isinstance(dtype, str) else "float32",
    tuple(shape) if shape else None,
  )


def _output_names(outputs):
  if isinstance(outputs, dict):
    names = list(outputs)
  else:
    single = not outputs or not isinstance(outputs[0], list)
    names = [f"output_{i}" for i in range(1 if single else len(outputs))]
  return tuple(Tensor(name, "float32", None) for name in names)


def _check_object(value):
  """Every object must be one of Keras' own, and only compute."""
  name, module = str(value["class_name"]), value.get("module")
  shown = printable(f"{module}.{name}")
  if value.get("registered_name") not in (None, name):
    yield Finding(f"the custom class {shown}", "config.json")
  elif name.startswith("__") or name == "function":
    if name not in _LITERALS:
      yield Finding(f"code or data, {shown}", "config.json")
  elif module == "keras.layers":
    if name not in _LAYERS:
      yield Finding(f"the layer {shown} is not on the list", "config.json")
  elif name in _MODELS:
    if module not in _MODEL_MODULES:
      yield Finding(f"the class {shown} is not Keras' own", "config.json")
  elif module not in _PARTS and (module, name) != ("keras", "DTypePolicy"):
    yield Finding(f"the class {shown} is not Keras' own", "config.json")

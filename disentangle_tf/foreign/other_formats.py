"""Formats that cannot be read (.pt, .h5, pickles, ...), and how to convert them."""

import os
import pathlib

from disentangle_tf.strangers_text import printable

_OF_TORCH = (
  "holds weights of PyTorch, without the network; where its code is, "
  "torch.onnx.export(encoder.eval(), (images,), '{name}.onnx') makes a model of them"
)
_CHECKPOINT = (
  "is a checkpoint, without the network; where its code is, torch.onnx.export(encoder, "
  "(images,), '{name}.onnx') or tf.saved_model.save(encoder, '{name}') makes a model "
  "of it"
)
_PICKLE = (
  "is a pickle, which runs code when it is opened; where the file was made, "
  "skl2onnx.to_onnx(model, images[:1]) makes an ONNX file of scikit-learn's models"
)
_HDF5 = (
  "has an old format of Keras; keras.saving.load_model('{name}{suffix}', compile=False)"
  ".save('{name}.keras') makes a model of it (import tf_keras as keras for Keras 2)"
)
_TFLITE = (
  "is for TensorFlow Lite; python -m tf2onnx.convert --tflite {name}{suffix} --output "
  "{name}.onnx makes a model of it"
)
_FROZEN = (
  "is a frozen graph; python -m tf2onnx.convert --graphdef {name}{suffix} --inputs "
  "IMAGES:0 --outputs MEAN:0 --output {name}.onnx makes a model of it"
)
_OF_JAX = (
  "holds weights of JAX, without the network; where its code is, jax2tf.convert and "
  "tf.saved_model.save make a model of them"
)
_FORMATS = {
  ".bin": _OF_TORCH,
  ".ckpt": _CHECKPOINT,
  ".h5": _HDF5,
  ".hdf5": _HDF5,
  ".index": _CHECKPOINT,
  ".joblib": _PICKLE,
  ".meta": _CHECKPOINT,
  ".msgpack": _OF_JAX,
  ".pb": _FROZEN,
  ".pickle": _PICKLE,
  ".pkl": _PICKLE,
  ".pt": _OF_TORCH,
  ".pth": _OF_TORCH,
  ".safetensors": _OF_TORCH,
  ".tflite": _TFLITE,
}


def describe_other_format(path: str | os.PathLike) -> str | None:
  """How to convert a file of another format to a model; None for other files."""
  path = pathlib.Path(path)
  text = _FORMATS.get(path.suffix.lower())
  if text is None or not os.path.isfile(path):
    return None
  if path.name == "saved_model.pb":
    return f"{printable(path)} is part of a model: name its folder"
  names = {"name": printable(path.stem), "suffix": path.suffix}
  return f"{printable(path)} {text.format(**names)}"

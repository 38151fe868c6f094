"""Recognise files that are not models by their content, and say what makes a model.

No format is parsed here, and no library loaded: a few bytes at both ends of a file
distinguish them. The name decides only where content cannot.
"""

from __future__ import annotations

import os
import pathlib
import re
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.keras_advice import keras_advice
from disentangle_tf.foreign.open_file import Glance
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Callable

_TORCHSCRIPT = (
  "is TorchScript; where PyTorch is, torch.onnx.export(torch.jit.load('{file}'), "
  "(images,), '{stem}.onnx', dynamo=False, input_names=['images'], "
  "dynamic_axes={{'images': {{0: 'n'}}}}) makes a model of it, without its code"
)
_TORCH_PROGRAM = (
  "is a program of torch.export; where PyTorch and onnxscript are, torch.onnx.export("
  "torch.export.load('{file}'), (), '{stem}.onnx') makes a model of it, without its "
  "code"
)
_TORCH_WEIGHTS = (
  "holds weights of PyTorch, without the network; where its code is, "
  "torch.onnx.export(encoder.eval(), (images,), '{stem}.onnx') makes a model of them"
)
_CHECKPOINT = (
  "is a checkpoint, without the network; where its code is, torch.onnx.export(encoder, "
  "(images,), '{stem}.onnx') or tf.saved_model.save(encoder, '{stem}') makes a model "
  "of it"
)
_TF_CHECKPOINT = (
  "is a checkpoint of TensorFlow, without the network; where its code is, "
  "tf.saved_model.save(encoder, '{stem}') makes a model of it"
)
_SCIKIT_LEARN = (
  "is a pickle of scikit-learn's {of}, which runs code when it is opened; where the "
  "file was made, open('{stem}.onnx', 'wb').write(skl2onnx.to_onnx(model, "
  "images[:1]).SerializeToString()) makes an ONNX file of it"
)
_NO_CONVERTER = (
  "is a pickle of scikit-learn's {of}, which runs code when it is opened and has no "
  "ONNX converter; where the file was made, np.savez('{stem}.npz', "
  "codes=model.transform(images), factors=factors) saves its codes"
)
_PICKLED_ARRAYS = (
  "is a pickle of arrays, which runs code when it is opened; where the file was made, "
  "np.savez('{stem}.npz', codes=codes, factors=factors) saves them without"
)
_PICKLE = (
  "is a pickle, which runs code when it is opened; where the file was made, export the "
  "model to ONNX, or save its codes: np.savez('{stem}.npz', codes=codes, "
  "factors=factors)"
)
_TFLITE = (
  "is for TensorFlow Lite; python -m tf2onnx.convert --tflite {file} --output "
  "{stem}.onnx makes a model of it"
)
_FROZEN = (
  "is a frozen graph; python -m tf2onnx.convert --graphdef {file} --inputs "
  "IMAGES:0 --outputs MEAN:0 --output {stem}.onnx makes a model of it"
)
_OF_JAX = (
  "holds weights of JAX, without the network; where its code is, jax2tf.convert and "
  "tf.saved_model.save make a model of them"
)
_TABLE = (
  "is a table; with its codes and factors as NumPy arrays, np.savez('{stem}.npz', "
  "codes=codes, factors=factors) makes a file that can be scored"
)
_COMPRESSED = "is compressed: unpack it and name the file inside"
_EMPTY = "is empty"
_RENAME = "is {kind}: give it a name that ends in {suffix}"
_HUGGING_FACE = (
  "is a model of Hugging Face, weights without the network; where its library is, load "
  "it with from_pretrained, then torch.onnx.export(encoder.eval(), (images,), "
  "'{stem}.onnx') makes a model of it"
)
_HUGGING_FACE_DATA = (
  "is a data set of Hugging Face; with its columns as NumPy arrays, "
  "np.savez('{stem}.npz', images=images, factors=factors) makes a file of it "
  "(docs/data.md)"
)

_ZIP, _HDF5 = b"PK\x03\x04", b"\x89HDF\r\n\x1a\n"
_INDEX_ENDS = bytes.fromhex("57fb808b247547db")  # of the index of a checkpoint
_LEGACY_TORCH = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
_PICKLES = re.compile(rb"\x80[\x02-\x05]")
# Bounded, so that no file makes the search slow.
_ESTIMATOR = re.compile(
  rb"sklearn\.[\w.]{1,80}(?:\n|\x94?\x8c.|q.X....)(\w{1,80})", re.S
)
_ARRAYS = re.compile(rb"numpy\.?_?\w*\.?(?:multiarray|numeric)|pandas\.core")
# Estimators that skl2onnx converts and that turn images into codes.
_CONVERTED = {"PCA", "IncrementalPCA", "KernelPCA", "TruncatedSVD", "Pipeline"}
_COMPRESSIONS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")
_ZLIB = re.compile(rb"x[\x01\x5e\x9c\xda]")
_TABLES = (b"PAR1", b"MATLAB 5.0 MAT-file", b"ARROW1")


def describe_other_format(path: str | os.PathLike) -> str | None:
  """What lies at `path`, and the command that makes a model of it, in one line.

  Args:
    path: a file or a folder that is not a model by its name, or contradicts its name.

  Returns:
    The line; None if it is a model of a known kind, or is not recognised.
  """
  path = pathlib.Path(path)
  if os.path.isdir(path):
    text = _of_folder(path)
  elif os.path.isfile(path):
    text = _of_file(path)
  else:
    return None
  if text is None:
    return None
  names = {"stem": printable(path.stem), "file": printable(path.name)}
  return f"{printable(path)} {text.format(**names)}"


def _of_folder(path: pathlib.Path) -> str | None:
  try:
    names = set(os.listdir(path))
  except OSError:
    return None
  if any(name.startswith("saved_model.") for name in names):
    return None  # a model may lie beside its checkpoints
  if {"dataset_info.json", "dataset_dict.json"} & names:
    return _HUGGING_FACE_DATA
  weights = any(name.endswith((".safetensors", ".bin", ".msgpack")) for name in names)
  if weights and {"config.json", "model_index.json"} & names:
    return _HUGGING_FACE
  return _TF_CHECKPOINT if "checkpoint" in names else None


def _of_file(path: pathlib.Path) -> str | None:
  if path.name == "saved_model.pb":
    return "is part of a model: name its folder"
  try:
    found = Glance.at(path)
  except ModelError:
    return None  # reported when it is opened as a model
  if not found.head:
    return _EMPTY
  suffix = path.suffix.lower()
  for recognise in _RECOGNISERS:
    if text := recognise(found, suffix):
      return text
  return _BY_SUFFIX.get(suffix)


def _of_zip(found: Glance, suffix: str) -> str | None:
  if not found.head.startswith(_ZIP):
    return None
  if b"archive_format" in found or b"serialized_exported_program.json" in found:
    return _TORCH_PROGRAM
  if b"constants.pkl" in found and b"/code/" in found:
    return _TORCHSCRIPT
  if b"data.pkl" in found:
    return _TORCH_WEIGHTS
  if b"metadata.json" in found and b"model.weights.h5" in found:
    return _renamed("a model of Keras", ".keras", suffix)
  return _renamed("arrays of NumPy", ".npz", suffix) if b".npyPK" in found else None


def _of_hdf5(found: Glance, suffix: str) -> str | None:
  del suffix  # a model that is named .keras, too
  return keras_advice(found) if found.head.startswith(_HDF5) else None


def _of_pickle(found: Glance, suffix: str) -> str | None:
  del suffix  # pickles are recognised by content alone
  if found.head.startswith(_LEGACY_TORCH):
    return _TORCH_WEIGHTS
  if not _PICKLES.match(found.head):
    return None
  if estimator := _ESTIMATOR.search(found.head):
    name = estimator[1].decode()
    text = _SCIKIT_LEARN if name in _CONVERTED else _NO_CONVERTER
    return text.replace("{of}", name)
  if b"pytorch" in found or b"torch._utils" in found:
    return _TORCH_WEIGHTS
  return _PICKLED_ARRAYS if _ARRAYS.search(found.head) else _PICKLE


def _of_weights(found: Glance, suffix: str) -> str | None:
  del suffix  # checkpoints have many names
  head = found.head
  if head[8:10] == b'{"' and int.from_bytes(head[:8], "little") < 2**27:
    return _TORCH_WEIGHTS  # safetensors
  checkpoint = found.tail.endswith(_INDEX_ENDS)
  names_one = head.startswith(b"model_checkpoint_path")
  return _TF_CHECKPOINT if checkpoint or names_one else None


def _of_graph(found: Glance, suffix: str) -> str | None:
  head = found.head
  if head[4:8] == b"TFL3":
    return _TFLITE
  if suffix != ".onnx" and head.startswith(b"\x08\x01\x12"):  # ONNX 1 starts alike
    return "is the graph of a SavedModel: name it saved_model.pb in its folder"
  # The version of ONNX, then the name of the producer or the graph itself.
  if re.match(rb"\x08[\x03-\x1f](?:\x12|\x3a)", head):
    return _renamed("an ONNX model", ".onnx", suffix)
  if suffix == ".pb" and head[:1] == b"\n":
    return _FROZEN
  return None


def _of_table(found: Glance, suffix: str) -> str | None:
  if found.head.startswith(b"\x93NUMPY"):
    return _renamed("an array of NumPy", ".npy", suffix)
  if found.head.startswith(_TABLES) or suffix in (".csv", ".tsv"):
    return _TABLE
  packed = found.head.startswith(_COMPRESSIONS) or _ZLIB.match(found.head)
  if packed and suffix in (".joblib", ".pickle", ".pkl"):
    return _PICKLE
  return _COMPRESSED if packed else None


def _renamed(kind: str, suffix: str, given: str) -> str | None:
  """Advice for a file whose name hides its kind; None if the name fits."""
  if given == suffix:
    return None
  return _RENAME.replace("{kind}", kind).replace("{suffix}", suffix)


_RECOGNISERS: tuple[Callable[[Glance, str], str | None], ...] = (
  _of_zip,
  _of_hdf5,
  _of_pickle,
  _of_weights,
  _of_graph,
  _of_table,
)
# Formats without a signature at either end.
_BY_SUFFIX = {
  ".bin": _TORCH_WEIGHTS,
  ".ckpt": _CHECKPOINT,
  ".joblib": _PICKLE,
  ".meta": _TF_CHECKPOINT,
  ".msgpack": _OF_JAX,
  ".pickle": _PICKLE,
  ".pkl": _PICKLE,
  ".pt": _TORCH_WEIGHTS,
  ".pth": _TORCH_WEIGHTS,
}

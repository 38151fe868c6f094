"""Loads a model of any format and calls its functions, inside the sandbox."""

from __future__ import annotations

import ctypes
import functools
import importlib
import os
from typing import TYPE_CHECKING, Protocol

import numpy as np

from disentangle_tf.foreign.copy_model import ONNX_FILE

if TYPE_CHECKING:
  from collections.abc import Sequence

  import onnxruntime

  from disentangle_tf.foreign.interface.call import Call

_ONNX_BFLOAT16 = 16  # TensorProto.BFLOAT16


class LoadedModel(Protocol):
  """A loaded model of any format."""

  def run(self, call: Call, array: np.ndarray) -> list[np.ndarray]:
    """Make a `Call` with `array`, and return the outputs that it keeps."""
    ...


def load_model(
  kind: str, path: str, tags: Sequence[str] | None, *, trusted: bool = False
) -> LoadedModel:
  """Load the model at `path`, ready to `run`.

  Args:
    kind: "saved_model", "onnx", "keras", "keras_2", or "own_keras" for this project's
      models.
    path: its folder or file.
    tags: tags of the graph of a TensorFlow 1 model; None for TensorFlow 2.
    trusted: whether it may contain code, as .keras files can.
  """
  makers = {
    "saved_model": _SavedModel,
    "onnx": _Onnx,
    "keras": functools.partial(_Keras, "keras", not trusted),
    "keras_2": functools.partial(_Keras, "tf_keras", not trusted),
    "own_keras": _OwnKeras,
  }
  return makers[kind](path, tags)


def run(model: LoadedModel, call: Call, array: np.ndarray) -> np.ndarray:
  """Make a `Call` with `array`: its outputs side by side, float32 [N, width].

  A model with a fixed batch size gets batches of that size; the last one is padded.
  """
  size = (call.input.shape or (None,))[0]
  if size is None:
    return _joined(model.run(call, array), len(array))
  parts = []
  for start in range(0, len(array), size):
    batch = array[start : start + size]
    missing = np.repeat(batch[-1:], size - len(batch), axis=0)
    outputs = model.run(call, np.concatenate([batch, missing]))
    parts.append(_joined(outputs, size)[: len(batch)])
  return np.concatenate(parts)


def _joined(outputs: Sequence[np.ndarray], count: int) -> np.ndarray:
  for output in outputs:
    if np.ndim(output) < 2 or len(output) != count:
      raise ValueError(f"shape {np.shape(output)} for {count} inputs")
  flat = [np.asarray(output, np.float32).reshape(count, -1) for output in outputs]
  widths = [part.shape[1] for part in flat]
  if len(set(widths)) > 1:
    raise ValueError(f"{widths} numbers: a mean and its spread must be as many")
  return np.concatenate(flat, axis=1)


class _SavedModel:
  def __init__(self, path: str, tags: Sequence[str] | None) -> None:
    import tensorflow as tf

    # Its variables live as long as the loaded object, so it is kept as well.
    try:
      self._loaded = tf.saved_model.load(path, tags=tags)
    except (IndexError, OSError, tf.errors.NotFoundError, tf.errors.DataLossError):
      raise ValueError("its variables are missing or damaged") from None
    self._signatures = self._loaded.signatures
    self._cast = tf.cast

  def run(self, call: Call, array: np.ndarray) -> list[np.ndarray]:
    inputs = {name: self._cast(*feed) for name, feed in call.feeds(array).items()}
    outputs = self._signatures[call.signature](**inputs)
    return [outputs[name].numpy() for name in call.outputs]


class _Onnx:
  def __init__(self, path: str, tags: Sequence[str] | None) -> None:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count()  # else it pins threads to cores
    options.log_severity_level = 3
    self._session = onnxruntime.InferenceSession(
      os.path.join(path, ONNX_FILE), options, providers=["CPUExecutionProvider"]
    )
    self._of_numpy = onnxruntime.OrtValue.ortvalue_from_numpy
    self._of_bits = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type

  def run(self, call: Call, array: np.ndarray) -> list[np.ndarray]:
    inputs = {name: self._value(*feed) for name, feed in call.feeds(array).items()}
    outputs = self._session.run_with_ort_values(list(call.outputs), inputs)
    return [_onnx_array(output) for output in outputs]

  def _value(self, array: np.ndarray, dtype: str) -> onnxruntime.OrtValue:
    if dtype != "bfloat16":
      return self._of_numpy(np.ascontiguousarray(array, dtype))
    import ml_dtypes

    bits = np.ascontiguousarray(array, ml_dtypes.bfloat16).view(np.uint16)
    return self._of_bits(bits, _ONNX_BFLOAT16)


def _onnx_array(value: onnxruntime.OrtValue) -> np.ndarray:
  """The numbers of an OrtValue, also of bfloat16, which NumPy does not have."""
  if value.data_type() != "tensor(bfloat16)":
    return value.numpy()
  count = int(np.prod(value.shape()))
  bits = np.frombuffer(ctypes.string_at(value.data_ptr(), 2 * count), np.uint16)
  return (bits.astype(np.uint32) << 16).view(np.float32).reshape(value.shape())


class _Keras:
  def __init__(
    self, library: str, is_safe: bool, path: str, tags: Sequence[str] | None
  ) -> None:
    if library == "keras" and not is_safe:  # it may have layers of this project
      importlib.import_module("disentangle_tf.networks")
    saving = importlib.import_module(library).saving
    self._model = saving.load_model(path, compile=False, safe_mode=is_safe)

  def run(self, call: Call, array: np.ndarray) -> list[np.ndarray]:
    import tensorflow as tf

    feeds = call.feeds(array)
    inputs = {name: tf.cast(value, dtype) for name, (value, dtype) in feeds.items()}
    if len(inputs) == 1:
      (inputs,) = inputs.values()
    outputs = self._model(inputs, training=False)
    if not isinstance(outputs, dict):
      outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
      outputs = {f"output_{i}": output for i, output in enumerate(outputs)}
    return [np.asarray(outputs[name]) for name in call.outputs]


class _OwnKeras:
  def __init__(self, path: str, tags: Sequence[str] | None) -> None:
    import keras

    from disentangle_tf import models, networks  # noqa: F401  (known to Keras then)
    from disentangle_tf.export.writing import signatures

    model = keras.saving.load_model(path, compile=False, safe_mode=True)
    self._signatures = signatures(model)

  def run(self, call: Call, array: np.ndarray) -> list[np.ndarray]:
    import tensorflow as tf

    function, _ = self._signatures[call.signature]
    outputs = function(tf.cast(array, call.input.dtype))
    return [outputs[name].numpy() for name in call.outputs]

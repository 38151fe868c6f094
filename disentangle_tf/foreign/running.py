"""Calling a model's functions, in whatever format it came; what the child does."""

import os

import numpy as np


def load_model(kind, path, tags):
  """The model at `path`, ready to `run`.

  Args:
    kind: "saved_model", "onnx" or "keras".
    path: its folder or file.
    tags: of the graph of a TensorFlow 1 model; None for TensorFlow 2.
  """
  return {"saved_model": _SavedModel, "onnx": _Onnx, "keras": _Keras}[kind](path, tags)


def run(model, call, array):
  """What a `Call` gives for `array`, its outputs side by side: float32 [N, width].

  A model with a fixed batch size gets batches of that size, the last one filled up.
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


def _joined(outputs, count):
  for output in outputs:
    if np.ndim(output) < 2 or len(output) != count:
      raise ValueError(f"shape {np.shape(output)} for {count} inputs")
  flat = [np.asarray(output, np.float32).reshape(count, -1) for output in outputs]
  widths = [part.shape[1] for part in flat]
  if len(set(widths)) > 1:
    raise ValueError(f"{widths} numbers: a mean and its spread must be as many")
  return np.concatenate(flat, axis=1)


class _SavedModel:
  def __init__(self, path, tags):
    import tensorflow as tf

    # Its variables live as long as what was loaded, so that is kept as well.
    try:
      self._loaded = tf.saved_model.load(path, tags=tags)
    except (IndexError, OSError, tf.errors.NotFoundError, tf.errors.DataLossError):
      raise ValueError("its variables are missing or damaged") from None
    self._signatures = self._loaded.signatures
    self._constant = tf.constant

  def run(self, call, array):
    inputs = {
      name: self._constant(array, call.input.dtype)
      for name in (call.input.name, *call.copies)
    }
    inputs |= {name: self._constant(False) for name in call.switches}
    outputs = self._signatures[call.signature](**inputs)
    return [outputs[name].numpy() for name in call.outputs]


class _Onnx:
  def __init__(self, path, tags):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count()  # else it pins threads to cores
    options.log_severity_level = 3
    self._session = onnxruntime.InferenceSession(
      path, options, providers=["CPUExecutionProvider"]
    )

  def run(self, call, array):
    images = array.astype(call.input.dtype)
    inputs = dict.fromkeys((call.input.name, *call.copies), images)
    inputs |= {name: np.array(False) for name in call.switches}
    return self._session.run(list(call.outputs), inputs)


class _Keras:
  def __init__(self, path, tags):
    import keras

    self._model = keras.saving.load_model(path, compile=False, safe_mode=True)

  def run(self, call, array):
    import tensorflow as tf

    outputs = self._model(tf.constant(array, call.input.dtype), training=False)
    if not isinstance(outputs, dict):
      outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
      outputs = {f"output_{i}": output for i, output in enumerate(outputs)}
    return [np.asarray(outputs[name]) for name in call.outputs]

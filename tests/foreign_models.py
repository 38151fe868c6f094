"""One set of weights in every format that people exchange, made without our code."""

import keras
import numpy as np
import tensorflow as tf
from shared_checks import tiny_data

v1 = tf.compat.v1


class Encoder:
  """The tiny model's encoder as plain arrays: images -> mean, log-variance."""

  def __init__(self, model):
    arrays = [np.asarray(value) for value in model.encoder.get_weights()]
    hidden, bias, *heads = arrays
    mean, std = (np.array(part, np.float32) for part in model.standardisation)
    # Standardising the pixels is part of the first layer.
    pixels = len(hidden) // len(mean)
    scale, shift = np.tile(1 / std, pixels), np.tile(-mean / std, pixels)
    self.shape = tuple(model.encoder.input_shape[1:])
    self.hidden = (hidden * scale[:, None]).astype(np.float32)
    self.bias = (bias + shift @ hidden).astype(np.float32)
    self.heads = {"mean": heads[:2], "log_variance": heads[2:]}

  def parts(self):
    """All the arrays, by name."""
    named = {"hidden": self.hidden, "bias": self.bias}
    for name, (kernel, offset) in self.heads.items():
      named |= {f"{name}_kernel": kernel, f"{name}_bias": offset}
    return named


def compute(images, parts):
  """(mean, log-variance) with TensorFlow."""
  flat = tf.reshape(images, [-1, parts["hidden"].shape[0]])
  hidden = tf.nn.relu(flat @ parts["hidden"] + parts["bias"])
  return tuple(
    hidden @ parts[f"{name}_kernel"] + parts[f"{name}_bias"]
    for name in ("mean", "log_variance")
  )


class Module(tf.Module):
  """Somebody else's encoder."""

  def __init__(self, encoder, names=("mean", "log_variance")):
    super().__init__()
    self.parts = {name: tf.Variable(part) for name, part in encoder.parts().items()}
    self.names = names

  @tf.function
  def __call__(self, x):
    return dict(zip(self.names, compute(x, self.parts), strict=False))


def write_module(path, encoder, *, names=("mean", "log_variance"), module=None):
  """A bare tf.Module as a SavedModel, with one signature."""
  module = module or Module(encoder, names)
  spec = tf.TensorSpec([None, *encoder.shape], tf.float32, name="x")
  function = module.__call__.get_concrete_function(spec)
  tf.saved_model.save(module, str(path), signatures={"serving_default": function})
  return path


def write_hub_module(path, encoder):
  """A TensorFlow 1 module as disentanglement_lib and TF-Hub write them."""
  builder = v1.saved_model.Builder(str(path))
  for tags in (["train"], []):
    with v1.Graph().as_default(), v1.Session() as session:
      images = v1.placeholder(tf.float32, [None, *encoder.shape], "images")
      parts = {
        name: v1.get_variable(name, initializer=part)
        for name, part in encoder.parts().items()
      }
      mean, log_variance = compute(images, parts)
      signature = v1.saved_model.predict_signature_def(
        {"images": images}, {"mean": mean, "logvar": log_variance}
      )
      session.run(v1.global_variables_initializer())
      signatures = {"gaussian_encoder": signature}
      if tags:
        builder.add_meta_graph_and_variables(
          session, tags, signature_def_map=signatures, strip_default_attrs=True
        )
      else:
        builder.add_meta_graph(tags, signature_def_map=signatures)
  builder.save()
  (path / "tfhub_module.pb").write_bytes(b"\x08\x03")
  return path


def write_onnx(path, encoder, *, names=("mean", "log_variance")):
  """An ONNX file with channels first, as PyTorch exports it."""
  import onnx
  from onnx import helper, numpy_helper

  height, width, channels = encoder.shape
  kernel = encoder.hidden.reshape(height, width, channels, -1)
  parts = encoder.parts() | {
    "hidden": kernel.transpose(2, 0, 1, 3).reshape(len(encoder.hidden), -1)
  }
  nodes = [
    helper.make_node("Flatten", ["images"], ["flat"]),
    helper.make_node("Gemm", ["flat", "hidden", "bias"], ["linear"]),
    helper.make_node("Relu", ["linear"], ["features"]),
  ]
  for head, name in zip(encoder.heads, names, strict=True):
    inputs = ["features", f"{head}_kernel", f"{head}_bias"]
    nodes.append(helper.make_node("Gemm", inputs, [name]))
  latents = len(encoder.heads["mean"][1])
  real = onnx.TensorProto.FLOAT
  graph = helper.make_graph(
    nodes,
    "encoder",
    [helper.make_tensor_value_info("images", real, ["n", channels, height, width])],
    [helper.make_tensor_value_info(name, real, ["n", latents]) for name in names],
    [numpy_helper.from_array(part, name) for name, part in parts.items()],
  )
  opset = [helper.make_opsetid("", 17)]
  model = helper.make_model(graph, opset_imports=opset, ir_version=8)
  path.write_bytes(model.SerializeToString())
  return path


def write_keras(path, encoder):
  """A .keras file with two outputs."""
  images = keras.Input(encoder.shape, name="images")
  flat = keras.layers.Flatten()(images)
  hidden = keras.layers.Dense(len(encoder.bias), activation="relu", name="hidden")
  heads = {
    name: keras.layers.Dense(len(offset), name=name)
    for name, (_, offset) in encoder.heads.items()
  }
  features = hidden(flat)
  model = keras.Model(images, {name: head(features) for name, head in heads.items()})
  hidden.set_weights([encoder.hidden, encoder.bias])
  for name, head in heads.items():
    head.set_weights(encoder.heads[name])
  model.save(path)
  return path


def all_codes(encoder):
  """(means, log-variances, factors) of the whole tiny set, in index order."""
  data = tiny_data()
  factors = data.factors.to_factors(np.arange(len(data)))
  mean, log_variance = compute(data.observe(factors), encoder.parts())
  return mean.numpy(), log_variance.numpy(), factors


def write_arrays(path, encoder, **changes):
  """codes.npz with codes, log-variances and factors."""
  codes, log_variances, factors = all_codes(encoder)
  arrays = {"codes": codes, "log_variances": log_variances, "factors": factors}
  np.savez(path, **(arrays | changes))
  return path

"""ONNX files, node by node: odd ones, hostile ones, ones with data beside them."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

REAL = TensorProto.FLOAT


def node(op, inputs=("images",), outputs=("mean",), **options):
  return helper.make_node(op, inputs, outputs, **options)


def value(name, sizes, dtype=REAL):
  return helper.make_tensor_value_info(name, dtype, sizes)


def write_graph(path, nodes, inputs, outputs, **constants):
  """Any graph; `constants` are {name: values}."""
  arrays = [numpy_helper.from_array(np.array(v), k) for k, v in constants.items()]
  graph = helper.make_graph(nodes, "model", inputs, outputs, arrays)
  opsets = [helper.make_opsetid("", 17)]
  model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
  onnx.checker.check_model(model)
  path.write_bytes(model.SerializeToString())
  return path


def write_encoder(
  path, nodes, *, functions=(), constants=(), batch="n", domain="theirs"
):
  """An encoder of "images" [N, 2, 8, 8]: its nodes give "mean" [N, 128]."""
  images = helper.make_tensor_value_info("images", REAL, [batch, 2, 8, 8])
  codes = helper.make_tensor_value_info("mean", REAL, [batch, 128])
  graph = helper.make_graph(nodes, "encoder", [images], [codes], constants)
  opsets = [helper.make_opsetid("", 17), helper.make_opsetid(domain, 1)]
  model = helper.make_model(
    graph, functions=functions, opset_imports=opsets, ir_version=8
  )
  path.write_bytes(model.SerializeToString())
  return path


def external(location="../../secret", **entries):
  """A tensor of 128 numbers that lie in another file, or so it says."""
  tensor = numpy_helper.from_array(np.zeros(128, np.float32), "weights")
  tensor.ClearField("raw_data")
  tensor.data_location = TensorProto.EXTERNAL
  tensor.external_data.add(key="location", value=location)
  for key, value in entries.items():
    tensor.external_data.add(key=key, value=value)
  return tensor


def write_sum(path, weights):
  """An encoder that adds weights to the pixels."""
  nodes = [node("Flatten", outputs=["flat"]), node("Add", ["flat", "weights"])]
  return write_encoder(path, nodes, constants=[weights])


def write_data(folder, *, name="w.bin", offset="16", length="512", **entries):
  """A model whose weights, all 5, lie in a file beside it, after 16 bytes."""
  (folder / name).write_bytes(bytes(16) + np.full(128, 5, np.float32).tobytes())
  tensor = external(name, offset=offset, length=length, **entries)
  return write_sum(folder / "theirs.onnx", tensor)

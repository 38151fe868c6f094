import pathlib

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.scan.without_numbers import (
  NUMBERS_AND_NODES,
  without_numbers,
)

GOLDEN = pathlib.Path(__file__).parents[2] / "golden/foreign"


def without_large(model):
  """The same by the library: raw data of large constants and initialisers cleared."""
  tensors = list(model.graph.initializer)
  for node in model.graph.node:
    if node.ByteSize() > 1024:
      tensors += [a.t for a in node.attribute if a.HasField("t")]
  for tensor in tensors:
    if tensor.ByteSize() > 1024:
      tensor.ClearField("raw_data")
  return model


@pytest.fixture
def content():
  """A model with large and small numbers, of all kinds of fields."""
  large = numpy_helper.from_array(np.ones(999, np.float32), "large")
  small = numpy_helper.from_array(np.ones(9, np.float32), "small")
  nodes = [
    helper.make_node("Constant", [], ["a"], value=large),
    helper.make_node("Constant", [], ["b"], value=small, note=1.5, more=[1, 2]),
    helper.make_node("Add", ["a", "large"], ["c"], doc_string="x" * 2000),
  ]
  outputs = [helper.make_tensor_value_info("c", onnx.TensorProto.FLOAT, [999])]
  graph = helper.make_graph(nodes, "graph", [], outputs, [large, small])
  return helper.make_model(graph).SerializeToString()


def test_only_large_numbers_are_missing(content):
  found = onnx.ModelProto.FromString(without_numbers(content))
  assert found == without_large(onnx.ModelProto.FromString(content))
  assert found.graph.initializer[1].raw_data
  assert len(without_numbers(content)) < len(content) - 2 * 999 * 4


@pytest.mark.parametrize("name", ["torch_attention", "torch_script", "sklearn_forest"])
def test_files_of_others(name):
  content = (GOLDEN / f"{name}.onnx").read_bytes()
  found = onnx.ModelProto.FromString(without_numbers(content))
  assert found == without_large(onnx.ModelProto.FromString(content))


def test_without_nodes(content):
  found = onnx.ModelProto.FromString(without_numbers(content, NUMBERS_AND_NODES))
  assert not found.graph.node
  assert [tensor.name for tensor in found.graph.initializer] == ["large", "small"]
  assert found.graph.output[0].name == "c"


@pytest.mark.parametrize(
  "damaged", [b"\x3a", b"\x3a\xff", b"\x3b\x01", b"\xff" * 11, b"\x09\0", b"\x3a\x09x"]
)
def test_damaged(damaged, content):
  with pytest.raises(ModelError, match="damaged"):
    without_numbers(content + damaged)

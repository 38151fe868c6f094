"""Models to evaluate: an export of ours, and an ONNX file as another team makes it."""

import keras
import numpy as np
from standard_models import mlp_model

from disentangle_tf.data import XYSquares
from disentangle_tf.export import write_export

LATENTS = 9
SMALL = {"image_size": 16, "square_size": 2, "grid_spacing": 2, "num_squares": 2}


def small_export(folder, *, seed=0):
  """Export the demo's untrained networks on the small XYSquares."""
  keras.utils.set_random_seed(seed)
  data = XYSquares(**SMALL)
  write_export(mlp_model(data, latents=LATENTS), folder, data=data)


def write_onnx_encoder(path):
  """Write an encoder of the small XYSquares, channels first: one dense layer."""
  import onnx
  from onnx import TensorProto, helper, numpy_helper

  shape = XYSquares(**SMALL).observation_shape
  pixels, channels = int(np.prod(shape)), shape[-1]
  weights = np.random.default_rng(0).normal(size=(pixels, LATENTS)) / pixels**0.5
  images = ["n", channels, *shape[:2]]
  graph = helper.make_graph(
    [
      helper.make_node("Flatten", ["images"], ["flat"]),
      helper.make_node("MatMul", ["flat", "weights"], ["mean"]),
    ],
    "encoder",
    [helper.make_tensor_value_info("images", TensorProto.FLOAT, images)],
    [helper.make_tensor_value_info("mean", TensorProto.FLOAT, ["n", LATENTS])],
    [numpy_helper.from_array(weights.astype(np.float32), "weights")],
  )
  opsets = [helper.make_opsetid("", 17)]
  onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)

"""StableHLO modules in the golden models that JAX exported."""

import pathlib

from tensorflow.core.protobuf import saved_model_pb2

GOLDEN = pathlib.Path(__file__).parent / "golden/foreign"


def modules(name):
  """The programs of a model that JAX exported."""
  content = (GOLDEN / name / "saved_model.pb").read_bytes()
  graph = saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].graph_def
  nodes = (node for function in graph.library.function for node in function.node_def)
  return [node.attr["module"].s for node in nodes if node.op == "XlaCallModule"]

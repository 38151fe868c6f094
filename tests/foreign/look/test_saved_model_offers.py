import pytest
from saved_model_checks import SHAPE, edit
from tensorflow.core.framework import types_pb2
from tensorflow.core.protobuf import meta_graph_pb2

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.look.offer import Offer, Tensor
from disentangle_tf.foreign.look.saved_model_offers import saved_model_offers


def test_an_unknown_type_is_not_taken_for_images(copy):
  def change(graph):
    for info in graph.signature_def["serving_default"].inputs.values():
      info.dtype = 9999

  with (
    ForeignModel(edit(copy, change)) as model,
    pytest.raises(UserError, match="takes no images.* x unknown"),
  ):
    model.open(SHAPE)


def test_signatures_in_the_order_of_their_names():
  graph = meta_graph_pb2.MetaGraphDef()
  for name in ("encode", "decode", "__saved_model_init_op"):
    graph.signature_def[name].inputs["x"].dtype = types_pb2.DT_UINT8
  sizes = graph.signature_def["encode"].inputs["x"].tensor_shape
  sizes.dim.add(size=-1)
  sizes.dim.add(size=64)
  outputs = graph.signature_def["encode"].outputs
  for name in ("scale", "mean"):
    outputs[name].dtype = types_pb2.DT_FLOAT
    outputs[name].tensor_shape.unknown_rank = True
  decode, encode = saved_model_offers(graph)
  assert decode == Offer("decode", (Tensor("x", "uint8", None),), ())
  assert encode.inputs == (Tensor("x", "uint8", (None, 64)),)
  assert encode.outputs == (
    Tensor("mean", "float32", None),
    Tensor("scale", "float32", None),
  )

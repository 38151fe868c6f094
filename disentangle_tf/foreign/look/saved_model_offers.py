"""The signatures of a SavedModel, as `Offer`s."""

from tensorflow.core.framework import types_pb2

from disentangle_tf.foreign.look.offer import Offer, Tensor


def saved_model_offers(meta_graph):
  """An `Offer` for each signature of dense tensors, in the order of their names."""
  return [
    Offer(name, _tensors(signature.inputs), _tensors(signature.outputs))
    for name, signature in sorted(meta_graph.signature_def.items())
    if not name.startswith("__saved_model")
  ]


def _tensors(infos):
  return tuple(
    Tensor(key, _dtype(info), _shape(info)) for key, info in sorted(infos.items())
  )


def _dtype(info):
  names = types_pb2.DataType.DESCRIPTOR.values_by_number
  if info.dtype not in names:
    return "unknown"
  name = names[info.dtype].name.removeprefix("DT_").lower()
  return {"float": "float32", "double": "float64", "half": "float16"}.get(name, name)


def _shape(info):
  if info.tensor_shape.unknown_rank or not info.HasField("tensor_shape"):
    return None
  return tuple(None if d.size < 0 else d.size for d in info.tensor_shape.dim)

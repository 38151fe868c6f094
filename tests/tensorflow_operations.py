"""All operations of TensorFlow, which it lists in a private module alone."""

from tensorflow.core.framework import op_def_pb2
from tensorflow.python.client import pywrap_tf_session


def all_operations():
  """Definitions of every operation that TensorFlow has."""
  buffer = pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList())
  return list(op_def_pb2.OpList.FromString(buffer).op)

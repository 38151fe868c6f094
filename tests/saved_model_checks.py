"""Small SavedModels to scan, and the checks that one is refused or allowed."""

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.foreign_model import ForeignModel

v1 = tf.compat.v1
raw = tf.raw_ops
SHAPE = (8, 8, 2)


def assert_refused(path, *words):
  with ForeignModel(path) as model:
    text = model.verdict.to_text()
    assert text.startswith("REFUSED")
    assert any(all(word in str(f) for word in words) for f in model.verdict.findings), (
      text
    )
    with pytest.raises(ModelError, match="^refused: ") as caught:
      model.open(SHAPE)
    assert "\n" not in str(caught.value)


def assert_allowed(path, kind):
  with ForeignModel(path) as model:
    assert model.verdict.allowed, model.verdict.to_text()
    assert model.verdict.kind == kind
    assert model.verdict.looked_at["operations"] > 0
    assert model.offers


def first_code(path):
  """The first number that a trusted model gives for white images."""
  with ForeignModel(path) as model:
    model.open(SHAPE, trusted=True)
    return model.encode(np.ones((1, *SHAPE)))[0][0, 0]


class Codes(tf.Module):
  """An encoder that does something else as well."""

  def __init__(self, act):
    super().__init__()
    self.kernel = tf.Variable(tf.ones([128, 3]))
    self.act = act

  @tf.function(
    input_signature=[tf.TensorSpec([None, *SHAPE], name="x")], autograph=False
  )
  def encode(self, x):
    self.act(x)
    return {"mean": tf.reshape(x, [-1, 128]) @ self.kernel}


def write_codes(path, act):
  module = Codes(act)
  tf.saved_model.save(module, str(path), signatures=module.encode)
  return path


def write_v1(
  path,
  *,
  act=None,
  main_op=None,
  earlier_saver=False,
  local=False,
  aside=None,
):
  """A TensorFlow 1 model; `act`, `main_op` and `aside` make operations."""
  builder = v1.saved_model.Builder(str(path))
  with v1.Graph().as_default(), v1.Session() as session:
    images = v1.placeholder(tf.float32, [None, *SHAPE], "images")
    kernel = v1.get_variable("kernel", initializer=tf.ones([128, 3]))
    if aside:
      aside(kernel)
    if local:
      v1.get_variable("local", [], collections=[v1.GraphKeys.LOCAL_VARIABLES])
    if earlier_saver:
      v1.train.Saver()
    with tf.control_dependencies([act()] if act else []):
      mean = tf.matmul(tf.reshape(images, [-1, 128]), kernel)
    session.run(v1.global_variables_initializer())
    signature = v1.saved_model.predict_signature_def({"x": images}, {"mean": mean})
    builder.add_meta_graph_and_variables(
      session,
      ["serve"],
      {"serving_default": signature},
      main_op=main_op() if main_op else None,
    )
  builder.save()
  return path


def edit(path, change):
  """Changes the only graph of a SavedModel."""
  file = path / "saved_model.pb"
  content = saved_model_pb2.SavedModel.FromString(file.read_bytes())
  change(content.meta_graphs[0])
  file.write_bytes(content.SerializeToString())
  return path


def save_at(canary, x):
  raw.SaveV2(prefix=canary, tensor_names=["x"], shape_and_slices=[""], tensors=[x])

"""SavedModels of TensorFlow 2: operations that are refused, models that are allowed."""

import pathlib

import keras
import pytest
import tensorflow as tf
from foreign_models import Encoder, write_module
from saved_model_checks import (
  SHAPE,
  Codes,
  assert_allowed,
  assert_refused,
  edit,
  first_code,
  raw,
  save_at,
  write_codes,
)
from shared_checks import tiny_model
from tensorflow.core.framework import types_pb2
from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.scan.scan_saved_model import saved_model_offers
from disentangle_tf.foreign.scan.verdict import Offer, Tensor


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


def touch(canary):
  pathlib.Path(canary).touch()


def read_records(canary):
  queue = raw.FIFOQueueV2(component_types=[tf.string])
  raw.ReaderReadV2(reader_handle=raw.WholeFileReaderV2(), queue_handle=queue)


def fill_table(canary):
  table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
  raw.InitializeTableFromTextFileV2(
    table_handle=table, filename=canary, key_index=-2, value_index=-1
  )


ACTS = {
  "WriteFile": lambda c, x: raw.WriteFile(filename=c, contents="x"),
  "PrintV2": lambda c, x: tf.print("x", output_stream=f"file://{c}"),
  "SaveV2": save_at,
  "MergeV2Checkpoints": lambda c, x: raw.MergeV2Checkpoints(
    checkpoint_prefixes=[c], destination_prefix=c
  ),
  "ReadFile": lambda c, x: raw.ReadFile(filename=c),
  "MatchingFiles": lambda c, x: raw.MatchingFiles(pattern=f"{c}*"),
  "RestoreV2": lambda c, x: raw.RestoreV2(
    prefix=c, tensor_names=["x"], shape_and_slices=[""], dtypes=[tf.float32]
  ),
  "ReaderReadV2": lambda c, x: read_records(c),
  "DebugIdentityV2": lambda c, x: raw.DebugIdentityV2(
    input=x, debug_urls=[f"file://{c}"], tensor_debug_mode=1
  ),
  "EagerPyFunc": lambda c, x: tf.py_function(lambda: touch(c), [], []),
  "PyFunc": lambda c, x: tf.numpy_function(lambda: touch(c), [], []),
  "SummaryWriter": lambda c, x: raw.CreateSummaryFileWriter(
    writer=raw.SummaryWriter(),
    logdir=c,
    max_queue=1,
    flush_millis=1,
    filename_suffix="x",
  ),
  "TextLineDataset": lambda c, x: raw.TextLineDataset(
    filenames=c, compression_type="", buffer_size=1
  ),
  "IteratorV2": lambda c, x: raw.IteratorV2(
    shared_name="", container="", output_types=[tf.int64], output_shapes=[()]
  ),
  "InitializeTableFromTextFileV2": lambda c, x: fill_table(c),
  "ImmutableConst": lambda c, x: raw.ImmutableConst(
    dtype=tf.float32, shape=[1], memory_region_name=c
  ),
  "DecodePng": lambda c, x: raw.DecodePng(contents="x"),
  "Abort": lambda c, x: raw.Abort(),
}


@pytest.mark.parametrize("op", ACTS)
def test_an_operation_in_a_signature(op, tmp_path):
  canary = str(tmp_path / "canary")
  path = write_codes(tmp_path / "model", lambda x: ACTS[op](canary, x))
  assert_refused(path, f"{op} ", "in function __inference_encode")
  assert not list(tmp_path.glob("canary*"))


def write_canary(canary):
  raw.WriteFile(filename=canary, contents="x")


def in_while(canary):
  def body(i):
    write_canary(canary)
    return i + 1

  tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])


def in_branch(canary):
  def write():
    write_canary(canary)
    return 0

  tf.cond(tf.timestamp() > 0, write, lambda: 0)


def in_function(canary):
  @tf.function(autograph=False)
  def inner():
    write_canary(canary)

  inner()


HIDING = {
  "while_body": in_while,
  "cond_true": in_branch,
  "inner": in_function,
}


@pytest.mark.parametrize("place", HIDING)
def test_an_operation_in_an_inner_function(place, tmp_path):
  canary = str(tmp_path / "canary")
  path = write_codes(tmp_path / "model", lambda x: HIDING[place](canary))
  assert_refused(path, "WriteFile writes files", "function", place.split("_")[0])
  assert not list(tmp_path.glob("canary*"))


class AtLoad(tf.saved_model.experimental.TrackableResource):
  """Writes when it is loaded."""

  def __init__(self, canary):
    super().__init__()
    self.canary = canary

  def _create_resource(self):
    return raw.VarHandleOp(dtype=tf.float32, shape=[], shared_name="at_load")

  def _initialize(self):
    write_canary(self.canary)


def write_resource(path, canary):
  module = Codes(tf.identity)
  module.resource = AtLoad(canary)
  tf.saved_model.save(module, str(path), signatures=module.encode)
  return path


def test_an_initialiser_that_writes_at_load(tmp_path):
  canary = tmp_path / "canary"
  path = write_resource(tmp_path / "model", str(canary))
  assert_refused(path, "WriteFile writes files", "function __inference")
  assert_refused(path, "a resource with an initialiser of its own", "in object")
  assert not canary.exists()


def test_the_danger_is_real(tmp_path):
  canary = tmp_path / "canary"
  with ForeignModel(write_resource(tmp_path / "model", str(canary))) as model:
    model.open(SHAPE, trusted=True)
  assert canary.exists()


def test_a_lookup_table(tmp_path):
  module = Codes(tf.identity)
  values = tf.lookup.KeyValueTensorInitializer(["a"], [1])
  module.table = tf.lookup.StaticHashTable(values, 0)
  tf.saved_model.save(module, str(tmp_path / "m"), signatures=module.encode)
  assert_refused(tmp_path / "m", "HashTableV2 keeps a resource")
  assert_refused(tmp_path / "m", "a resource with an initialiser of its own")


def test_an_asset(tmp_path):
  (tmp_path / "words.txt").write_text("a")
  module = Codes(tf.identity)
  module.words = tf.saved_model.Asset(str(tmp_path / "words.txt"))
  tf.saved_model.save(module, str(tmp_path / "m"), signatures=module.encode)
  assert_refused(tmp_path / "m", "an asset, words.txt", "ask for an export without")
  assert_refused(tmp_path / "m", "an asset, in object")
  assert first_code(tmp_path / "m") == 128  # which --trusted opens


def test_several_graphs(copy):
  file = copy / "saved_model.pb"
  content = saved_model_pb2.SavedModel.FromString(file.read_bytes())
  content.meta_graphs.add().CopyFrom(content.meta_graphs[0])
  file.write_bytes(content.SerializeToString())
  assert_refused(copy, "several graphs, with tags [['serve'], ['serve']]")


def test_no_graph(copy):
  (copy / "saved_model.pb").write_bytes(b"")
  assert_refused(copy, "there is no graph")


def test_many_findings_are_cut_short(copy):
  def change(graph):
    for number in range(100):
      graph.graph_def.node.add(name=f"n{number}", op=f"Bad{number}")

  with ForeignModel(edit(copy, change)) as model:
    assert len(model.verdict.findings) == 21
    assert "80 more" in str(model.verdict.findings[-1])


@pytest.mark.parametrize("content", [b"\xff" * 100, b"\x12\xff\xff\x03garbage"])
def test_garbage(content, copy):
  (copy / "saved_model.pb").write_bytes(content)
  with pytest.raises(ModelError, match="damaged"):
    ForeignModel(copy)


def test_cut_short(copy):
  content = (copy / "saved_model.pb").read_bytes()
  (copy / "saved_model.pb").write_bytes(content[: len(content) // 2])
  with pytest.raises(ModelError, match="damaged"):
    ForeignModel(copy)


@pytest.fixture(scope="module")
def encoder():
  return Encoder(tiny_model())


def keras_encoder(library):
  layers = library.layers
  return library.Sequential(
    [
      library.Input(SHAPE),
      layers.Conv2D(4, 3, strides=2, padding="same", activation="relu"),
      layers.BatchNormalization(),
      layers.Conv2DTranspose(4, 3),
      layers.MaxPooling2D(),
      layers.LeakyReLU(),
      layers.Dropout(0.5),
      layers.Flatten(),
      layers.LayerNormalization(),
      layers.Dense(3, activation="gelu"),
    ]
  )


def test_allows_our_own_export(exported):
  assert_allowed(exported[0], "TF 2 SavedModel")


def test_allows_a_module(encoder, tmp_path):
  assert_allowed(write_module(tmp_path / "m", encoder), "TF 2 SavedModel")


def test_allows_an_export_of_keras_3(tmp_path):
  keras_encoder(keras).export(tmp_path / "m", verbose=False)
  assert_allowed(tmp_path / "m", "TF 2 SavedModel")


def test_allows_a_model_of_keras_2(tmp_path):
  import tf_keras

  model = keras_encoder(tf_keras)
  model.compile("adam", "mse")
  model.fit(tf.zeros([2, *SHAPE]), tf.zeros([2, 3]), verbose=0)
  model.save(tmp_path / "m", save_format="tf")
  assert_allowed(tmp_path / "m", "TF 2 SavedModel")


def sample(x):
  def body(i, state):
    state = tf.cond(i % 2 == 0, lambda: state + 1, lambda: state * 2)
    return i + 1, state + tf.random.normal([])

  tf.while_loop(lambda i, _: i < 3, body, [tf.constant(0), tf.constant(0.0)])
  states = tf.TensorArray(tf.float32, 2).unstack(tf.random.uniform([2, 3]))
  tf.map_fn(tf.math.softplus, states.stack())
  tf.debugging.assert_greater(tf.size(x), 0)
  return tf.image.resize(x, [4, 4], antialias=True)


def sparse_and_sorted(x):
  flat = tf.reshape(x, [-1, 128])
  sparse = tf.sparse.from_dense(tf.eye(128))
  tf.transpose(tf.sparse.sparse_dense_matmul(sparse, flat, adjoint_b=True))
  tf.image.non_max_suppression(tf.zeros([3, 4]), tf.zeros([3]), 1)
  tf.math.segment_max(flat, tf.range(tf.shape(flat)[0]))
  tf.RaggedTensor.from_row_lengths([1.0, 2.0, 3.0], [1, 2]).to_tensor()
  state = tf.zeros([1, 1, 3])  # recurrent layers bring functions for GPUs along
  raw.CudnnRNN(input=state, input_h=state, input_c=state, params=tf.zeros([9]))


def test_allows_sparse_ragged_and_sorted(tmp_path):
  path = write_codes(tmp_path / "m", sparse_and_sorted)
  assert_allowed(path, "TF 2 SavedModel")


def test_allows_loops_branches_and_noise(tmp_path):
  assert_allowed(write_codes(tmp_path / "m", sample), "TF 2 SavedModel")

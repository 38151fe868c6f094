import os
import pathlib
import shutil

import keras
import numpy as np
import pytest
import tensorflow as tf
from foreign_models import Encoder, write_hub_module, write_module
from shared_checks import tiny_model
from tensorflow.core.framework import node_def_pb2, op_def_pb2, types_pb2, variable_pb2
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow.python.client import pywrap_tf_session

from disentangle_tf.errors import UserError
from disentangle_tf.foreign import model_files
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.look import scan_saved_model
from disentangle_tf.foreign.look.look_at import look_at
from disentangle_tf.foreign.model_error import ModelError

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


@pytest.fixture(scope="module")
def encoder():
  return Encoder(tiny_model())


@pytest.fixture(scope="module")
def harmless(tmp_path_factory):
  return write_codes(tmp_path_factory.mktemp("harmless") / "model", tf.identity)


@pytest.fixture
def copy(harmless, tmp_path):
  return shutil.copytree(harmless, tmp_path / "model")


def edit(path, change):
  """Changes the only graph of a SavedModel."""
  file = path / "saved_model.pb"
  content = saved_model_pb2.SavedModel.FromString(file.read_bytes())
  change(content.meta_graphs[0])
  file.write_bytes(content.SerializeToString())
  return path


def add_function(graph, name, op):
  function = graph.graph_def.library.function.add()
  function.signature.name = name
  function.node_def.add(name="inside", op=op)


def touch(canary):
  pathlib.Path(canary).touch()


def save_at(canary, x):
  raw.SaveV2(prefix=canary, tensor_names=["x"], shape_and_slices=[""], tensors=[x])


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


def hide_in_unused_function(graph):
  add_function(graph, "unused", "WriteFile")


def hide_in_gradient(graph):
  add_function(graph, "gradient", "WriteFile")
  known = graph.graph_def.library.function[0].signature.name
  graph.graph_def.library.gradient.add(function_name=known, gradient_func="gradient")


def name_no_gradient(graph):
  graph.graph_def.library.gradient.add(function_name="a", gradient_func="b")


def imitate(name):
  def change(graph):
    add_function(graph, name, "NoOp")
    graph.graph_def.node.add(name="call", op=name)

  return change


def repeat_function(graph):
  name = graph.graph_def.library.function[0].signature.name
  functions = list(graph.graph_def.library.function)
  del graph.graph_def.library.function[:]
  add_function(graph, name, "WriteFile")
  graph.graph_def.library.function.extend(functions)


def repeat_node(graph):
  nodes = list(graph.graph_def.node)
  del graph.graph_def.node[:]
  graph.graph_def.node.add(name=nodes[0].name, op="WriteFile")
  graph.graph_def.node.extend(nodes)


def calls(graph):
  return [node for node in graph.graph_def.node if node.attr["f"].func.name]


def call_nothing(graph):
  calls(graph)[0].attr["f"].func.name = "nothing"


def call_nothing_deep_inside(graph):
  calls(graph)[0].attr["f"].func.attr["g"].list.func.add(name="nothing")


def add_node(op):
  return lambda graph: graph.graph_def.node.add(name="added", op=op)


def add_to_function(op):
  def change(graph):
    graph.graph_def.library.function[0].node_def.add(name="added", op=op)

  return change


def saver_function(graph, word):
  names = [f.signature.name for f in graph.graph_def.library.function]
  return next(name for name in names if word in name)


def call_saver_as_signature(graph):
  """The objects of a model, not its signatures, say what a call runs."""
  node = next(
    node
    for node in graph.object_graph_def.nodes
    if node.bare_concrete_function.concrete_function_name
  )
  name = saver_function(graph, "traced_save")
  node.bare_concrete_function.concrete_function_name = name


def stand_in(graph):
  """TensorFlow swaps functions that claim to compute the same."""
  name = saver_function(graph, "traced_save")
  for function in graph.graph_def.library.function:
    if function.signature.name == name or "encode" in function.signature.name:
      function.attr["api_implements"].s = b"the same"


def restore_from_elsewhere(graph):
  elsewhere = node_def_pb2.NodeDef(name="elsewhere", op="Const")
  graph.graph_def.node.append(elsewhere)
  restorer = saver_function(graph, "traced_restore")
  call = next(n for n in calls(graph) if n.attr["f"].func.name == restorer)
  call.input[0] = "elsewhere:0"


def restore_by_branch(graph):
  """A branch's first argument is its second input, the first is what decides."""
  restorer = saver_function(graph, "traced_restore")
  call = next(n for n in calls(graph) if n.attr["f"].func.name == restorer)
  call.op = "If"
  call.input.insert(1, "elsewhere:0")
  graph.graph_def.node.add(name="elsewhere", op="Const")
  for branch in ("then_branch", "else_branch"):
    call.attr[branch].func.name = restorer
  del call.attr["f"]


def restore_from_elsewhere_inside(graph):
  function = library_function(graph, saver_function(graph, "traced_restore"))
  function.node_def.add(name="elsewhere", op="Const")
  for node in function.node_def:
    if node.op == "RestoreV2":
      node.input[0] = "elsewhere:output:0"


def initialise(graph):
  signature = graph.signature_def["__saved_model_init_op"]
  signature.outputs["__saved_model_init_op"].name = "at_load"
  graph.graph_def.node.add(name="at_load", op="NoOp", input=["^before"])
  graph.graph_def.node.add(name="before", op="Assign")


def register_class(graph):
  graph.object_graph_def.nodes[0].registered_name = "tf.StaticHashTable"


def register_saver(graph):
  graph.object_graph_def.nodes[0].registered_saver = "theirs"


def restore_by_function(graph):
  saveable = graph.object_graph_def.nodes[1].saveable_objects["VARIABLE_VALUE"]
  saveable.restore_function = 1


def escape_by_asset(graph):
  graph.asset_file_def.add(filename="../../../etc/passwd").tensor_info.name = "x"


def constant(graph):
  return next(node for node in graph.graph_def.node if node.op == "Const")


def hold_an_object(graph):
  constant(graph).attr["value"].tensor.dtype = types_pb2.DT_VARIANT


def hold_a_list_of_objects(graph):
  constant(graph).attr["more"].list.tensor.add().dtype = types_pb2.DT_RESOURCE


def hand_an_object_to_a_function(graph):
  values = calls(graph)[0].attr["f"].func.attr
  values["g"].list.func.add().attr["h"].tensor.dtype = types_pb2.DT_VARIANT


def hold_an_object_in_a_function(graph):
  function = graph.graph_def.library.function[0]
  function.arg_attr[0].attr["x"].tensor.dtype = types_pb2.DT_VARIANT


def leave_a_call_open(graph):
  function = graph.graph_def.library.function[0]
  function.node_def.add(name="x", op="PartitionedCall").attr["f"].placeholder = "g"


def name_a_node_like_an_argument(graph):
  name = saver_function(graph, "traced_restore")
  function = library_function(graph, name)
  argument = function.signature.input_arg[0].name
  function.node_def.add(name=argument, op="Const")


def library_function(graph, name):
  functions = graph.graph_def.library.function
  return next(function for function in functions if function.signature.name == name)


EDITS = {
  "unused function": (hide_in_unused_function, "WriteFile", "function unused"),
  "gradient": (hide_in_gradient, "WriteFile", "function gradient"),
  "unknown gradient": (name_no_gradient, "unknown function b", "the gradients"),
  "function named as allowed": (imitate("Relu"), "name of an operation, Relu"),
  "function named as refused": (
    imitate("WriteFile"),
    "name of an operation, WriteFile",
  ),
  "two functions of one name": (repeat_function, "several functions are called"),
  "two nodes of one name": (repeat_node, "several operations are called"),
  "call of nothing": (call_nothing, "unknown function nothing", "the graph"),
  "call of nothing deep inside": (
    call_nothing_deep_inside,
    "unknown function nothing",
    "the graph",
  ),
  "unknown op": (add_node("TheirCustomOp"), "TheirCustomOp is not on the list"),
  "program": (
    add_to_function("XlaCallModule"),
    "XlaCallModule holds a program that cannot be looked at",
  ),
  "custom call": (add_node("XlaCustomCallV2"), "XlaCustomCallV2 holds a program"),
  "control characters": (
    add_node("Bad\x1b[2J\nOp"),
    r"Bad\x1b[2J Op is not on the list",
  ),
  "saver as signature": (call_saver_as_signature, "SaveV2 writes", "traced_save"),
  "saver as stand-in": (stand_in, "SaveV2 writes", "traced_save"),
  "restore from elsewhere": (
    restore_from_elsewhere,
    "StatefulPartitionedCall reads other files",
  ),
  "restore by a branch": (restore_by_branch, "If reads other files"),
  "restore from elsewhere inside": (
    restore_from_elsewhere_inside,
    "RestoreV2 reads other files",
    "traced_restore",
  ),
  "initialiser": (initialise, "Assign would run at load"),
  "registered class": (register_class, "class tf.StaticHashTable", "object 0"),
  "registered saver": (register_saver, "a saver of its own", "object 0"),
  "restoring function": (restore_by_function, "functions that restore", "object 1"),
  "object as constant": (hold_an_object, "Const holds an object", "the graph"),
  "objects in a list": (hold_a_list_of_objects, "Const holds an object", "the graph"),
  "object for a function": (
    hand_an_object_to_a_function,
    "PartitionedCall holds an object",
    "the graph",
  ),
  "object of a function": (hold_an_object_in_a_function, "holds an object", "function"),
  "open call": (leave_a_call_open, "PartitionedCall leaves an attribute open"),
  "node named as argument": (
    name_a_node_like_an_argument,
    "several operations are called",
    "traced_restore",
  ),
  "asset outside": (escape_by_asset, "an asset, ../../../etc/passwd"),
}


@pytest.mark.parametrize("case", EDITS)
def test_an_edited_graph(case, copy):
  change, *words = EDITS[case]
  assert_refused(edit(copy, change), *words)


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


def test_a_reader_of_tensorflow_1(tmp_path):
  def read():
    queue = v1.FIFOQueue(1, [tf.string])
    return v1.WholeFileReader().read(queue)[1].op

  path = write_v1(tmp_path / "m", act=read)
  assert_refused(path, "WholeFileReaderV2 reads records", "the graph")


def test_an_initialiser_of_tensorflow_1(tmp_path):
  canary = tmp_path / "canary"
  path = write_v1(tmp_path / "m", main_op=lambda: tf.io.write_file(str(canary), "x"))
  assert_refused(path, "WriteFile would run at load", "the initialiser")
  edit(path, use_the_old_name)
  assert_refused(path, "WriteFile would run at load", "the initialiser")
  assert not canary.exists()


def use_the_old_name(graph):
  ops = graph.collection_def["saved_model_main_op"]
  graph.collection_def["legacy_init_op"].CopyFrom(ops)
  del graph.collection_def["saved_model_main_op"]


def restore_by(name):
  def change(graph):
    graph.saver_def.restore_op_name = name

  return change


@pytest.mark.parametrize("op", ["WriteFile", "SaveV2"])
def test_a_restore_operation_that_writes(op, tmp_path):
  canary = str(tmp_path / "canary")
  path = write_v1(tmp_path / "m", main_op=lambda: tf.io.write_file(canary, "x"))
  name = {"WriteFile": "WriteFile", "SaveV2": "save/SaveV2"}[op]
  assert_refused(edit(path, restore_by(name)), f"{op} writes files", "the graph")
  assert not list(tmp_path.glob("canary*"))


def test_a_local_variable_that_saves_at_load(tmp_path):
  def change(graph):
    variables = graph.collection_def["local_variables"].bytes_list.value
    variable = variable_pb2.VariableDef.FromString(variables[0])
    variable.initializer_name = "save/SaveV2"
    variables[0] = variable.SerializeToString()

  path = write_v1(tmp_path / "m", local=True)
  assert_allowed(path, "TF 1 SavedModel")
  assert_refused(edit(path, change), "SaveV2 writes files", "the graph")


def test_restoring_from_a_file_of_its_own(tmp_path):
  def change(graph):
    graph.graph_def.node.add(name="elsewhere", op="Const")
    for node in graph.graph_def.node:
      if node.op == "RestoreV2":
        node.input[0] = "elsewhere"

  path = edit(write_v1(tmp_path / "m"), change)
  assert_refused(path, "RestoreV2 reads other files than the model's", "the graph")


def write_without_saver(path, canary=None):
  """A model whose saver the loader has to make, as TF-Hub's have none.

  With a `canary`, a variable that no signature uses comes after writing that file.
  """

  def aside(kernel):
    v1.get_variable("unused", initializer=1.0, use_resource=False)
    if canary:
      save_at(str(canary), tf.constant(1.0))

  def change(graph):
    graph.ClearField("saver_def")
    nodes = {node.name: node for node in graph.graph_def.node}
    if canary:
      nodes["unused"].input.append("^SaveV2")

  return edit(write_v1(path, aside=aside), change)


def test_a_variable_that_saves_at_load(tmp_path):
  path = write_without_saver(tmp_path / "m", tmp_path / "canary")
  assert_refused(path, "SaveV2 writes files", "the graph")
  assert not list(tmp_path.glob("canary*"))
  with ForeignModel(path) as model:
    model.open(SHAPE, trusted=True)
  assert list(tmp_path.glob("canary*"))


def test_allows_a_model_without_a_saver(tmp_path):
  path = write_without_saver(tmp_path / "m")
  assert_allowed(path, "TF 1 SavedModel")
  assert first_code(path) == 128


def test_objects_to_be_saved_are_looked_at_too(tmp_path):
  def change(graph):
    graph.ClearField("saver_def")
    graph.collection_def.pop("variables")
    names = [node.name for node in graph.graph_def.node if node.op == "SaveV2"]
    graph.collection_def["saveable_objects"].node_list.value.extend(names)

  path = edit(write_v1(tmp_path / "m"), change)
  assert_refused(path, "SaveV2 writes files", "the graph")


def first_code(path):
  """The first number that a trusted model gives for white images."""
  with ForeignModel(path) as model:
    model.open(SHAPE, trusted=True)
    return model.encode(np.ones((1, *SHAPE)))[0][0, 0]


def restored(prefix):
  return raw.RestoreV2(
    prefix=prefix,
    tensor_names=["kernel"],
    shape_and_slices=[""],
    dtypes=[tf.float32],
  )[0]


def write_restoring(path, restore):
  """A TensorFlow 1 model that is restored by what `restore` makes of a file name."""

  def aside(kernel):
    name = v1.placeholder_with_default("model", [], name="their_name")
    kernel.assign(tf.reshape(restore(name), [128, 3]), name="their_restoring")

  def change(graph):
    graph.saver_def.filename_tensor_name = "their_name:0"
    graph.saver_def.restore_op_name = "their_restoring"

  return edit(write_v1(path, aside=aside), change)


@pytest.fixture
def elsewhere(tmp_path):
  """The name of files that are not the model's, with another kernel in them."""
  prefix = str(tmp_path / "elsewhere")
  raw.SaveV2(
    prefix=prefix,
    tensor_names=["kernel"],
    shape_and_slices=[""],
    tensors=[tf.fill([128, 3], 7.0)],
  )
  return prefix


def by_function(inside):
  """Restores by a function that computes the name of the files itself."""

  def restore(name):
    tf.identity(name, name="decoy")  # what the function's own name is mistaken for
    return tf.function(lambda given: restored(inside(given)), autograph=False)(name)

  return restore


def by_branch(elsewhere):
  """Hands another name to a function, after a condition that is the right one."""

  def restore(name):
    specification = tf.TensorSpec([], tf.string)
    function = tf.function(restored, autograph=False)
    function = function.get_concrete_function(specification)
    return raw.If(
      cond=name,
      input=[elsewhere],
      Tout=[tf.float32],
      then_branch=function,
      else_branch=function,
    )[0]

  return restore


RESTORING = {
  "decoy": lambda e: by_function(lambda given: tf.identity(e, name="decoy")),
  "constant": lambda e: by_function(lambda given: tf.constant(e)),
  "branch": by_branch,
}


@pytest.mark.parametrize("case", RESTORING)
def test_restoring_from_elsewhere(case, elsewhere, tmp_path):
  path = write_restoring(tmp_path / "m", RESTORING[case](elsewhere))
  assert_refused(path, "reads other files than the model's", ": ask for an export")
  assert first_code(path) == 7 * 128  # what it is that the look prevents


@pytest.mark.parametrize("inside", [lambda given: given, tf.identity])
def test_allows_restoring_by_a_function(inside, tmp_path):
  path = write_restoring(tmp_path / "m", by_function(inside))
  assert_allowed(path, "TF 1 SavedModel")
  assert first_code(path) == 128


def test_another_output_than_the_file_name(tmp_path):
  def change(graph):
    node = graph.graph_def.node.add(name="two", op="IdentityN")
    node.input.extend(["save/Const", "save/Const"])
    graph.saver_def.filename_tensor_name = "two:1"
    for node in graph.graph_def.node:
      if node.op == "RestoreV2":
        node.input[0] = "two"

  path = edit(write_v1(tmp_path / "m"), change)
  assert_refused(path, "RestoreV2 reads other files than the model's", "the graph")


def test_summaries_of_a_training_graph(tmp_path):
  def aside(kernel):
    v1.summary.scalar("size", tf.reduce_sum(kernel))
    v1.summary.merge_all()

  path = write_v1(tmp_path / "m", aside=aside)
  ask = "ask for an export of the inference graph alone, without summaries"
  assert_refused(path, f"ScalarSummary writes summaries, in the graph: {ask}")
  with (
    ForeignModel(path) as model,
    pytest.raises(ModelError, match=r"^refused: \w+Summary.*: ask for .*--trusted"),
  ):
    model.open(SHAPE)


def test_queue_runners(tmp_path):
  def change(graph):
    graph.collection_def["queue_runners"].bytes_list.value.append(b"x")

  path = edit(write_v1(tmp_path / "m"), change)
  assert_refused(path, "something to run beside the model", "queue_runners")


def test_several_graphs(copy):
  file = copy / "saved_model.pb"
  content = saved_model_pb2.SavedModel.FromString(file.read_bytes())
  content.meta_graphs.add().CopyFrom(content.meta_graphs[0])
  file.write_bytes(content.SerializeToString())
  assert_refused(copy, "several graphs, with tags [['serve'], ['serve']]")


def test_no_graph(copy):
  (copy / "saved_model.pb").write_bytes(b"")
  assert_refused(copy, "there is no graph")


def test_too_many_operations(copy, monkeypatch):
  monkeypatch.setattr(scan_saved_model, "MOST_NODES", 3)
  findings = look_at("saved_model", copy)["verdict"]["findings"]
  assert findings[0]["what"] == "more than 3 operations"


def test_every_operation_is_named_as_one():
  """Without TensorFlow, what a function may not be called is a pattern."""
  buffer = pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList())
  names = [op.name for op in op_def_pb2.OpList.FromString(buffer).op]
  assert len(names) > 1_000
  pattern = scan_saved_model._NAME_OF_OPERATION
  assert [name for name in names if not pattern.fullmatch(name)] == []


def test_many_findings_are_cut_short(copy):
  def change(graph):
    for number in range(100):
      graph.graph_def.node.add(name=f"n{number}", op=f"Bad{number}")

  with ForeignModel(edit(copy, change)) as model:
    assert len(model.verdict.findings) == 21
    assert "80 more" in str(model.verdict.findings[-1])


def test_an_unknown_type_is_not_taken_for_images(copy):
  def change(graph):
    for info in graph.signature_def["serving_default"].inputs.values():
      info.dtype = 9999

  with (
    ForeignModel(edit(copy, change)) as model,
    pytest.raises(UserError, match="takes no images.* x unknown"),
  ):
    model.open(SHAPE)


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


def replace_by_link(copy, name, target):
  (copy / name).unlink()
  (copy / name).symlink_to(target)


def replace_folder_by_link(copy):
  os.rename(copy / "variables", copy.parent / "elsewhere")
  (copy / "variables").symlink_to(copy.parent / "elsewhere")


def replace_by_pipe(copy):
  (copy / "saved_model.pb").unlink()
  os.mkfifo(copy / "saved_model.pb")


FILES = {
  "linked weights": (
    lambda c: replace_by_link(c, "variables/variables.index", "/etc/passwd"),
    "a symbolic link, variables/variables.index",
  ),
  "linked graph": (
    lambda c: replace_by_link(c, "saved_model.pb", c.parent / "other"),
    "a symbolic link, saved_model.pb",
  ),
  "linked folder": (replace_folder_by_link, "a symbolic link, variables"),
  "link that is not read": (
    lambda c: (c / "notes").symlink_to("/etc/passwd"),
    "a symbolic link, notes",
  ),
  "pipe as graph": (replace_by_pipe, "saved_model.pb, which is not a plain file"),
  "pipe": (lambda c: os.mkfifo(c / "notes"), "notes, which is not a plain file"),
  "text form": (
    lambda c: (c / "saved_model.pbtxt").write_text(""),
    "saved_model.pbtxt, which TensorFlow may load instead",
  ),
  "chunked form": (
    lambda c: (c / "saved_model.cpb").write_bytes(b""),
    "saved_model.cpb, which TensorFlow may load instead",
  ),
  "control characters": (
    lambda c: (c / "evil\x1b[2J\n").symlink_to("/etc/passwd"),
    r"a symbolic link, evil\\x1b\[2J$",
  ),
}


@pytest.mark.parametrize("case", FILES)
def test_files_that_are_refused(case, copy):
  change, words = FILES[case]
  change(copy)
  with pytest.raises(ModelError, match=words):
    ForeignModel(copy)


def test_folders_without_end(copy):
  folder = os.open(copy, os.O_RDONLY)
  for _ in range(30):
    os.mkdir("x" * 200, dir_fd=folder)
    inner = os.open("x" * 200, os.O_RDONLY, dir_fd=folder)
    os.close(folder)
    folder = inner
  os.close(folder)
  with pytest.raises(ModelError, match="cannot be read"):
    ForeignModel(copy)


def test_only_the_text_form(copy):
  (copy / "saved_model.pb").rename(copy / "saved_model.pbtxt")
  with pytest.raises(ModelError, match="may load instead"):
    ForeignModel(copy)


def test_other_files_are_left_out(copy):
  for name in ("keras_metadata.pb", "saved_model.pb\n", "variables/notes"):
    (copy / name).write_text("x")
  with ForeignModel(copy) as model:
    assert model.verdict.allowed
    assert sorted(model.left_out) == [
      "keras_metadata.pb",
      "saved_model.pb",
      "variables/notes",
    ]
    assert not any("notes" in name or "keras" in name for name in model.sha256)


@pytest.mark.parametrize(
  ("limit", "value", "words"),
  [
    ("MOST_GRAPH_BYTES", 99, "saved_model.pb is larger than 99 bytes"),
    ("MOST_BYTES", 99, r"is larger than \d+ bytes"),
    ("MOST_FILES", 2, "more than 2 files"),
  ],
)
def test_too_much(limit, value, words, copy, monkeypatch):
  monkeypatch.setattr(model_files, limit, value)
  with pytest.raises(ModelError, match=words):
    ForeignModel(copy)


def test_a_large_manifest(copy, monkeypatch):
  graph = (copy / "saved_model.pb").stat().st_size
  monkeypatch.setattr(model_files, "MOST_GRAPH_BYTES", graph)
  (copy / "manifest.json").write_bytes(b" " * (graph + 1))
  with pytest.raises(ModelError, match="manifest.json is larger"):
    ForeignModel(copy)


def test_nothing_is_left_behind(copy, monkeypatch, tmp_path):
  monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
  before = set(tmp_path.iterdir())
  with ForeignModel(copy):
    assert set(tmp_path.iterdir()) != before
  (copy / "link").symlink_to("/etc/passwd")
  with pytest.raises(ModelError):
    ForeignModel(copy)
  assert set(tmp_path.iterdir()) == before


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


def test_allows_a_hub_module(encoder, tmp_path):
  assert_allowed(write_hub_module(tmp_path / "m", encoder), "TF-Hub module")


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


def test_allows_gradients_of_loops_of_tensorflow_1(tmp_path):
  """Stacks keep what the gradients of a loop need."""

  def aside(kernel):
    v1.disable_control_flow_v2()
    total = v1.while_loop(
      lambda i, _: i < 3, lambda i, t: (i + 1, t * t), [0, tf.reduce_sum(kernel)]
    )[1]
    v1.gradients(total, [kernel])
    v1.enable_control_flow_v2()

  path = write_v1(tmp_path / "m", aside=aside)
  assert_allowed(path, "TF 1 SavedModel")


def test_allows_loops_branches_and_noise(tmp_path):
  assert_allowed(write_codes(tmp_path / "m", sample), "TF 2 SavedModel")


@pytest.mark.parametrize("options", [{}, {"earlier_saver": True}])
def test_allows_tensorflow_1(options, tmp_path):
  assert_allowed(write_v1(tmp_path / "m", **options), "TF 1 SavedModel")


def test_allows_an_initialiser_that_does_nothing(tmp_path):
  path = write_v1(tmp_path / "m", main_op=v1.tables_initializer)
  assert_allowed(path, "TF 1 SavedModel")

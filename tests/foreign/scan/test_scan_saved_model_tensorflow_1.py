"""SavedModels of TensorFlow 1: sessions, initialisers, and restoring of variables."""

import pytest
import tensorflow as tf
from foreign_models import Encoder, write_hub_module
from saved_model_checks import (
  SHAPE,
  assert_allowed,
  assert_refused,
  edit,
  first_code,
  raw,
  save_at,
  v1,
  write_v1,
)
from shared_checks import tiny_model
from tensorflow.core.framework import variable_pb2

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.foreign_model import ForeignModel


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
    tf.identity(name, name="decoy")  # a wrong reading of the function's own name
    return tf.function(lambda given: restored(inside(given)), autograph=False)(name)

  return restore


def by_branch(elsewhere):
  """Passes another name to a function, after a condition that has the right name."""

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
  assert first_code(path) == 7 * 128  # the harm that the scan prevents


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


@pytest.fixture(scope="module")
def encoder():
  return Encoder(tiny_model())


def test_allows_a_hub_module(encoder, tmp_path):
  assert_allowed(write_hub_module(tmp_path / "m", encoder), "TF-Hub module")


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


@pytest.mark.parametrize("options", [{}, {"earlier_saver": True}])
def test_allows_tensorflow_1(options, tmp_path):
  assert_allowed(write_v1(tmp_path / "m", **options), "TF 1 SavedModel")


def test_allows_an_initialiser_that_does_nothing(tmp_path):
  path = write_v1(tmp_path / "m", main_op=v1.tables_initializer)
  assert_allowed(path, "TF 1 SavedModel")

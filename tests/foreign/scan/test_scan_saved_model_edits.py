"""Edited graphs: each edit alone has a SavedModel refused."""

import pytest
from saved_model_checks import assert_refused, edit
from tensorflow.core.framework import node_def_pb2, types_pb2


def add_function(graph, name, op):
  function = graph.graph_def.library.function.add()
  function.signature.name = name
  function.node_def.add(name="inside", op=op)


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
  """A branch's first argument is its second input: the first input is the condition."""
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
    "XlaCallModule holds a program that cannot be scanned",
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

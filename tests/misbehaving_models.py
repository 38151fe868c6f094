"""ONNX files that do what no encoder should, and the error that each costs."""

import sys
import time

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx_files import REAL, node

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.sandbox.limits import Limits

SHAPE = (4, 4, 1)
IMAGES = np.full((3, *SHAPE), 0.5, np.float32)
LIMITS = Limits(memory_gib=2, seconds=5, cpu_seconds=60)
START = """#!{python}
import os, sys, time
requests, answers = sys.stdin.buffer, sys.stdout.buffer
def say(text):
  answers.write(text)
  answers.flush()
requests.readline()
{lines}
time.sleep(60)
"""
# What an honest child says before it is asked for codes.
READY = "say(b'{}\\n'); say(b'ready\\n'); requests.readline()\n"


def constant(name, values):
  return numpy_helper.from_array(np.array(values), name)


def write(path, *nodes, constants=()):
  """A file whose last node gives "codes"; "flat" are the images as vectors."""
  images = helper.make_tensor_value_info("images", REAL, ["n", 1, 4, 4])
  codes = helper.make_tensor_value_info("codes", REAL, None)
  nodes = [node("Flatten", ["images"], ["flat"]), *nodes]
  graph = helper.make_graph(nodes, "encoder", [images], [codes], constants)
  opsets = [helper.make_opsetid("", 17)]
  model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
  path.write_bytes(model.SerializeToString())
  return path


def endless_loop(path):
  flag = helper.make_tensor_value_info("go", TensorProto.BOOL, [])
  body = helper.make_graph(
    [
      node("Identity", ["go"], ["go_on"]),
      node("Cos", ["state"], ["next"]),
    ],
    "body",
    [
      helper.make_tensor_value_info("i", TensorProto.INT64, []),
      flag,
      helper.make_tensor_value_info("state", REAL, None),
    ],
    [
      helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
      helper.make_tensor_value_info("next", REAL, None),
    ],
  )
  return write(
    path,
    node("Loop", ["", "yes", "flat"], ["codes"], body=body),
    constants=[constant("yes", True)],
  )


def huge(path):
  return write(
    path,
    node("Expand", ["flat", "sizes"], ["large"]),
    node("ReduceSum", ["large", "axes"], ["codes"], keepdims=0),
    constants=[constant("sizes", [2**24, 1, 16]), constant("axes", [0])],
  )


def not_a_number(path):
  return write(
    path,
    node("Sub", ["flat", "flat"], ["zero"]),
    node("Div", ["zero", "zero"], ["codes"]),
  )


def infinite(path):
  zero = node("Sub", ["flat", "flat"], ["zero"])
  return write(path, zero, node("Log", ["zero"], ["codes"]))


def one_row(path):
  return write(
    path,
    node("ReduceMean", ["flat"], ["codes"], axes=[0]),
  )


def no_rows(path):
  row = node("ReduceMean", ["flat"], ["codes"], axes=[0, 1], keepdims=0)
  return write(path, row)


def too_wide(path):
  return write(
    path,
    node("Tile", ["flat", "times"], ["codes"]),
    constants=[constant("times", [1, 1000])],
  )


def no_width(path):
  return write(
    path,
    node("Slice", ["flat", "none", "none", "axis"], ["codes"]),
    constants=[constant("none", [0]), constant("axis", [1])],
  )


def failing(path, name):
  return write(
    path,
    node("Reshape", ["flat", "sizes"], ["codes"], name=name),
    constants=[constant("sizes", [7, 7])],
  )


def rude(path):
  return failing(path, "\x1b[2J\x1b]0;owned\x07\nrefused: \r\x9b31m")


def talkative(path):
  return failing(path, "word " * 2**20)


def broken(path):
  return write(path, node("MatMul", ["flat", "nothing"], ["codes"]))


def check_error(error):
  """One line for the user, without what could change a terminal."""
  assert type(error) is ModelError
  text = str(error)
  assert text.isprintable() and text.isascii()
  assert len(text) < 400


def fail(path, limits=LIMITS, images=IMAGES, after_the_look=lambda: None):
  """The error that a model costs when it loads or encodes."""
  with ForeignModel(path) as model:
    assert model.verdict.allowed, model.verdict.to_text()
    after_the_look()
    started = time.monotonic()
    with pytest.raises(ModelError) as caught:
      model.open(SHAPE, limits=limits)
      model.encode(images)
  assert time.monotonic() - started < 2 * limits.seconds + 3
  check_error(caught.value)
  return str(caught.value)


def fail_taken_over(lines, folder, monkeypatch):
  """The error that a process costs which runs `lines` in place of the child's code."""
  program = folder / "python"
  program.write_text(START.format(python=sys.executable, lines=lines))
  program.chmod(0o700)
  path = not_a_number(folder / "m.onnx")

  def take_over():
    monkeypatch.setattr(sys, "executable", str(program))

  return fail(path, Limits(seconds=2), after_the_look=take_over)

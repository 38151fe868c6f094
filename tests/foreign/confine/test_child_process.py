import os
import pathlib
import signal
import sys
import time

import numpy as np
import pytest
import tensorflow as tf
from onnx import TensorProto, helper, numpy_helper

from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.model_error import ModelError

SHAPE = (4, 4, 1)
IMAGES = np.full((3, *SHAPE), 0.5, np.float32)
REAL = TensorProto.FLOAT
LIMITS = Limits(memory_gib=2, seconds=5, cpu_seconds=60)


def node(op, inputs, outputs, **options):
  return helper.make_node(op, inputs, outputs, **options)


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


def children():
  """Numbers of the processes that this process started."""
  tasks = pathlib.Path("/proc/self/task").glob("*/children")
  return {int(word) for task in tasks for word in task.read_text().split()}


@pytest.fixture(autouse=True)
def nothing_is_left_running():
  before = children()
  yield
  assert children() == before


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


CASES = {
  "eats memory": (huge, "needs more than 2 GiB (--limit_memory_gib)"),
  "gives NaN": (not_a_number, "NaN or infinity (in number 1 of the 16"),
  "gives infinity": (infinite, "the model gave NaN or infinity"),
  "gives one row": (one_row, "shape (1, 16) for 3 inputs"),
  "gives no rows": (no_rows, "shape () for 3 inputs"),
  "gives too much": (too_wide, "16000 numbers an image, at most 8192 fit"),
  "gives nothing": (no_width, "gave 0 numbers an image"),
  "fails": (lambda p: failing(p, "theirs"), "the model's process died (exit code 4)"),
  "fails with control characters": (rude, "the model's process died"),
  "fails with many words": (talkative, "the model's process died"),
  "does not load": (broken, "the model's process died (exit code 4)"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_model_that_misbehaves(case, tmp_path):
  make, words = CASES[case]
  assert words in fail(make(tmp_path / "m.onnx"))


def test_a_model_that_hangs(tmp_path):
  path = endless_loop(tmp_path / "m.onnx")
  text = fail(path, Limits(memory_gib=2, seconds=2))
  assert text == (
    "the model took more than 2 s for one batch and was stopped (--limit_seconds)"
  )


def test_a_model_that_computes_too_long(tmp_path):
  path = endless_loop(tmp_path / "m.onnx")
  text = fail(path, Limits(memory_gib=2, seconds=20, cpu_seconds=1))
  assert "used more than 1 s of computing" in text
  assert text.endswith("(--limit_cpu_seconds)")


def test_too_little_memory_to_load(tmp_path):
  text = fail(endless_loop(tmp_path / "m.onnx"), Limits(memory_gib=0.01, seconds=5))
  assert "0.01 GiB" in text or "died" in text


@pytest.mark.parametrize(
  "number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL, signal.SIGSYS]
)
def test_a_model_that_dies(number, tmp_path):
  before = children()
  with ForeignModel(not_a_number(tmp_path / "m.onnx")) as model:
    model.open(SHAPE, limits=LIMITS)
    (child,) = children() - before
    os.kill(child, number)
    with pytest.raises(ModelError, match=f"signal {number}|used more than") as caught:
      model.encode(IMAGES)
  check_error(caught.value)


def test_a_saved_model_that_eats_memory(tmp_path):
  @tf.function(input_signature=[tf.TensorSpec([None, *SHAPE], name="x")])
  def encode(x):
    rows = tf.fill([tf.shape(x, tf.int64)[0] * 2**30], x[0, 0, 0, 0])
    return {"mean": tf.reduce_sum(rows) * tf.ones([tf.shape(x)[0], 2])}

  tf.saved_model.save(tf.Module(), str(tmp_path / "m"), signatures=encode)
  text = fail(tmp_path / "m", Limits(memory_gib=4, seconds=30))
  assert "needs more than 4 GiB" in text


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
READY = "say(b'{}\\n'); say(b'ready\\n'); requests.readline()\n"
TAKEN_OVER = {
  "not confined": ("say(b'nothing\\n')", "answered nonsense"),
  "not ready": ("say(b'{}\\n'); say(b'never\\n')", "answered nonsense"),
  "no line": ("say(b'x' * 2**18)", "answered nonsense"),
  "no sizes": (READY + "say(b'many numbers\\n')", "answered nonsense"),
  "negative sizes": (READY + "say(b'3 -1\\n')", "answered nonsense"),
  "three sizes": (READY + "say(b'3 1 1\\n')", "answered nonsense"),
  "long sizes": (READY + "say(b'3 ' + b'9' * 5000 + b'\\n')", "answered nonsense"),
  "large sizes": (READY + "say(b'3 999999999999\\n')", "at most 8192 fit"),
  "other rows": (READY + "say(b'2 16\\n')", "gave 2 results for 3 inputs"),
  "half an answer": (READY + "say(b'3 16\\n1234')", "took more than 2 s for one batch"),
  "silence": ("", "took more than 2 s to load"),
  "closed pipes": (
    READY + "os.close(1); os.close(0)",
    "the model's process closed its pipes",
  ),
  "many errors": (
    "print('x' * 2**22, '\\x1b[2J', file=sys.stderr); os._exit(3)",
    "the model's process died (exit code 3)",
  ),
}


@pytest.mark.parametrize("case", TAKEN_OVER)
def test_a_process_that_was_taken_over(case, tmp_path, monkeypatch):
  lines, words = TAKEN_OVER[case]
  program = tmp_path / "python"
  program.write_text(START.format(python=sys.executable, lines=lines))
  program.chmod(0o700)
  path = not_a_number(tmp_path / "m.onnx")

  def take_over():
    monkeypatch.setattr(sys, "executable", str(program))

  assert words in fail(path, Limits(seconds=2), after_the_look=take_over)


def test_nothing_of_the_users_environment(tmp_path, monkeypatch):
  monkeypatch.setenv("SECRET", "token")
  before = children()
  with ForeignModel(not_a_number(tmp_path / "m.onnx")) as model:
    model.open(SHAPE, limits=LIMITS)
    (child,) = children() - before
    assert b"token" not in pathlib.Path(f"/proc/{child}/environ").read_bytes()
    links = pathlib.Path(f"/proc/{child}/fd").iterdir()
    assert not any("socket" in os.readlink(link) for link in links)

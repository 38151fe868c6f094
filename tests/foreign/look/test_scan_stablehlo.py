import pathlib
import random

import pytest
from tensorflow.core.protobuf import saved_model_pb2

from disentangle_tf.foreign.look import scan_stablehlo
from disentangle_tf.foreign.look.scan_stablehlo import scan_stablehlo as scan

GOLDEN = pathlib.Path(__file__).parents[2] / "golden/foreign"


def modules(name):
  """The programs of a model that JAX exported."""
  content = (GOLDEN / name / "saved_model.pb").read_bytes()
  graph = saved_model_pb2.SavedModel.FromString(content).meta_graphs[0].graph_def
  nodes = (node for function in graph.library.function for node in function.node_def)
  return [node.attr["module"].s for node in nodes if node.op == "XlaCallModule"]


@pytest.fixture(params=["jax_native", "jax_old"])
def module(request):
  """A program that checks sizes by a custom call."""
  return next(module for module in modules(request.param) if b"shape_asse" in module)


@pytest.mark.parametrize("name", ["jax_native", "jax_old"])
def test_allows_what_jax_writes(name):
  found = modules(name)
  assert len(found) == 2  # one for the gradient
  assert [scan(module) for module in found] == [[], []]


RENAMED = {
  "custom call": (b"shape_assertion", b"xla_py_callback", "calls xla_py_callback"),
  "unknown call": (
    b"shape_assertion",
    b"\x1b[2J_assertion\xff",
    r"calls \x1b[2J_assertion",
  ),
  "operation": (b"maximum_v1", b"outfeed_v1", "with the operation outfeed"),
  "unknown operation": (b"reshape_v1", b"reshap__v1", "with the operation reshap_"),
  "no version": (b"reshape_v1", b"reshape_w1", "with the operation reshape_w1"),
  "dialect": (b"vhlo\0", b"mhlo\0", "with the operation"),
}


@pytest.mark.parametrize("case", RENAMED)
def test_refuses(case, module):
  old, new, words = RENAMED[case]
  assert old in module and len(old) == len(new)
  problems = scan(module.replace(old, new))
  assert problems and all("holds a program" in problem for problem in problems)
  assert any(words in problem for problem in problems), problems


@pytest.mark.parametrize(
  ("content", "words"),
  [
    (b"", "cut short"),
    (b"module { func.func @main() { return } }", "no MLIR bytecode"),
    (b"ML\xefR\x07made up\0", "of version 3"),
    (b"ML\xefR\x0dmade up\0", "a part of it is missing"),
    (b"ML\xefR\x0dmade up\0\x00\x01\x00\x01", "there twice"),
    (b"ML\xefR\x0dmade up\0\x80\x01\x01", "a part of kind 128"),
    (b"ML\xefR\x0dmade up\0\x05\x03x", "it has resources"),
  ],
)
def test_what_is_none(content, words):
  (problem,) = scan(content)
  assert problem.startswith("holds a program that cannot be looked at (")
  assert words in problem


def test_cut_short_anywhere(module):
  assert all(scan(module[:size]) for size in range(0, len(module) - 4, 29))


def test_damaged_anywhere(module):
  """Damage is told or harmless, and never an exception."""
  rng = random.Random(0)
  for _ in range(150):
    damaged = bytearray(module)
    damaged[rng.randrange(len(module))] = rng.randrange(256)
    assert isinstance(scan(bytes(damaged)), list)


def test_too_many_operations(module, monkeypatch):
  monkeypatch.setattr(scan_stablehlo, "MOST_OPERATIONS", 5)
  (problem,) = scan(module)
  assert "more than 5 operations" in problem


def test_arithmetic_is_allowed():
  everyday = {"add", "subtract", "multiply", "divide", "power", "sqrt", "logistic"}
  assert everyday <= scan_stablehlo._COMPUTING

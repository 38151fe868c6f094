import pytest
from stablehlo_modules import modules

from disentangle_tf.foreign.scan import scan_stablehlo
from disentangle_tf.foreign.scan.scan_stablehlo import scan_stablehlo as scan


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


def test_arithmetic_is_allowed():
  everyday = {"add", "subtract", "multiply", "divide", "power", "sqrt", "logistic"}
  assert everyday <= scan_stablehlo._COMPUTING

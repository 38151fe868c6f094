"""Modules that are damaged or too large: reported, never an exception."""

import random

import pytest
from stablehlo_modules import modules

from disentangle_tf.foreign.scan import stablehlo_reader
from disentangle_tf.foreign.scan.scan_stablehlo import scan_stablehlo as scan


@pytest.fixture(params=["jax_native", "jax_old"])
def module(request):
  """A program that checks sizes by a custom call."""
  return next(module for module in modules(request.param) if b"shape_asse" in module)


@pytest.mark.parametrize(
  ("content", "words"),
  [
    (b"", "cut short"),
    (b"module { func.func @main() { return } }", "not MLIR bytecode"),
    (b"ML\xefR\x07made up\0", "of version 3"),
    (b"ML\xefR\x0dmade up\0", "a part of it is missing"),
    (b"ML\xefR\x0dmade up\0\x00\x01\x00\x01", "a part twice"),
    (b"ML\xefR\x0dmade up\0\x80\x01\x01", "a part of kind 128"),
    (b"ML\xefR\x0dmade up\0\x05\x03x", "it has resources"),
  ],
)
def test_what_is_none(content, words):
  (problem,) = scan(content)
  assert problem.startswith("holds a program that cannot be scanned (")
  assert words in problem


def test_cut_short_anywhere(module):
  assert all(scan(module[:size]) for size in range(0, len(module) - 4, 29))


def test_damaged_anywhere(module):
  """Damage is reported or harmless, and never raises an exception."""
  rng = random.Random(0)
  for _ in range(150):
    damaged = bytearray(module)
    damaged[rng.randrange(len(module))] = rng.randrange(256)
    assert isinstance(scan(bytes(damaged)), list)


def test_too_many_operations(module, monkeypatch):
  monkeypatch.setattr(stablehlo_reader, "MOST_OPERATIONS", 5)
  (problem,) = scan(module)
  assert "more than 5 operations" in problem

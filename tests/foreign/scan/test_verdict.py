import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.scan.verdict import (
  Finding,
  Offer,
  Tensor,
  Verdict,
  summarised,
)


def test_as_a_line():
  images = Tensor("x\x1b[2J", "float32", (None, 8, 8, 1))
  offer = Offer("encode", (images,), (Tensor("z", "float32", None),))
  assert str(images) == r"x\x1b[2J float32 [?, 8, 8, 1]"
  assert str(offer) == rf"encode: {images} -> z float32 [?]"


@pytest.mark.parametrize("size", [-1, 2**40 + 1])
def test_impossible_sizes(size):
  with pytest.raises(ModelError, match="refused: x has an impossible shape"):
    Tensor("x", "float32", (None, size))
  assert Tensor("x", "float32", (0, 2**40)).shape == (0, 2**40)


def test_names_without_end():
  longest = "x" * 1_000
  assert Offer(longest, (), ()).name == Tensor(longest, "int8", ()).name == longest
  for make in (lambda n: Offer(n, (), ()), lambda n: Tensor(n, "int8", ())):
    with pytest.raises(ModelError, match="a name in it has 1,001 characters"):
      make(longest + "x")


WRITES = Finding("WriteFile writes files", "the graph", "ask for another")
PRINTS = Finding("Print prints", "function f")


def test_nothing_found_is_allowed():
  verdict = Verdict("ONNX", looked_at={"operations": 3, "functions": 0})
  assert verdict.allowed
  verdict.check_allowed()
  assert verdict.to_text() == "allowed: ONNX (3 operations, 0 functions)"
  assert verdict.to_json() == {
    "kind": "ONNX",
    "allowed": True,
    "findings": [],
    "looked_at": {"operations": 3, "functions": 0},
  }


def test_one_finding_refuses():
  verdict = Verdict("ONNX", looked_at={"operations": 1}).with_findings([WRITES])
  assert not verdict.allowed
  with pytest.raises(ModelError) as caught:
    verdict.check_allowed()
  assert str(caught.value) == (
    "refused: WriteFile writes files, in the graph: ask for another; --scan_only shows "
    "all, --trusted loads what you made yourself"
  )


def test_further_findings_are_counted_and_listed():
  verdict = Verdict("ONNX", (WRITES,), {"operations": 2}).with_findings([PRINTS])
  with pytest.raises(ModelError, match=r"another \(and 1 more\); --scan_only"):
    verdict.check_allowed()
  assert verdict.to_text().splitlines() == [
    "REFUSED: ONNX (2 operations)",
    "  - WriteFile writes files, in the graph: ask for another",
    "  - Print prints, in function f",
  ]
  described = verdict.to_json()
  assert not described["allowed"]
  assert described["findings"][1] == {
    "what": "Print prints",
    "where": "function f",
    "ask": "",
  }


def test_findings_are_told_once_and_at_most_20_of_them():
  assert summarised([WRITES, PRINTS, WRITES]) == (WRITES, PRINTS)
  many = [Finding(f"{number}", "the graph") for number in range(23)]
  assert summarised(many[:20]) == tuple(many[:20])
  assert summarised(many) == (*many[:20], Finding("3 more", "this model"))

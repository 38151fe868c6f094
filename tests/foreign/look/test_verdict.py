import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.look.verdict import Finding, Verdict, summarised

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

"""Bounds of the scan; what it refuses is tested in test_scan_saved_model*.py."""

from tensorflow_operations import all_operations

from disentangle_tf.foreign.scan import scan_graph
from disentangle_tf.foreign.scan.scan_in_child import look_at


def test_too_many_operations(copy, monkeypatch):
  monkeypatch.setattr(scan_graph, "MOST_NODES", 3)
  findings = look_at("saved_model", copy)["verdict"]["findings"]
  assert findings[0]["what"] == "more than 3 operations"


def test_every_operation_is_named_as_one():
  """The scan recognises names of operations by a pattern, without TensorFlow."""
  names = [op.name for op in all_operations()]
  assert len(names) > 1_000
  pattern = scan_graph._NAME_OF_OPERATION
  assert [name for name in names if not pattern.fullmatch(name)] == []

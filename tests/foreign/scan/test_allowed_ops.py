import pytest
from tensorflow_operations import all_operations

from disentangle_tf.foreign.scan.allowed_ops import ALLOWED, RESTORING, SAVING, reason


@pytest.fixture(scope="module")
def operations():
  """{name: its definition} of every operation that TensorFlow has."""
  return {op.name: op for op in all_operations()}


def test_every_operation_on_the_lists_is_one(operations):
  assert operations.keys() >= RESTORING | SAVING
  assert ALLOWED - operations.keys() == set()
  assert not ALLOWED & (RESTORING | SAVING)


@pytest.mark.parametrize(
  ("op", "words", "ask"),
  [
    ("WriteFile", "writes files", "of the encoder alone"),
    ("SaveV2", "writes files", "of the encoder alone"),
    ("ReadFile", "reads files", "of the encoder alone"),
    ("ScalarSummary", "writes summaries", "of the inference graph alone"),
    ("EagerPyFunc", "runs Python", "without tf.py_function"),
    ("PrintV2", "prints, which may write files", "without tf.print"),
    ("TextLineDataset", "reads records", "that takes images"),
    ("DecodePng", "parses data", "that takes images as numbers"),
    ("CollectiveReduce", "talks to others", "for one CPU"),
    ("XlaCustomCallV2", "holds a program", "with TensorFlow's own operations"),
    ("HashTableV2", "keeps a resource", "without tables and queues"),
    ("Theirs", "is not on the list of allowed operations", "or for an ONNX file"),
  ],
)
def test_what_is_refused_and_why(op, words, ask):
  assert op not in ALLOWED
  found, asked = reason(op)
  assert found == words
  assert asked.startswith("ask for an export ") and ask in asked


def test_nothing_on_the_list_takes_the_name_of_a_file(operations):
  named = {"filename", "filenames", "file_name", "pattern", "prefix", "logdir"}
  for name in ALLOWED:
    arguments = {argument.name for argument in operations[name].input_arg}
    assert not arguments & named, name

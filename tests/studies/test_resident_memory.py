"""Resident memory of this process."""

from disentangle_tf.studies.resident_memory import resident_memory


def test_memory_that_is_written_counts():
  before = resident_memory()
  held = b"x" * 2**27
  assert 2**26 < resident_memory() - before < 2**28
  del held

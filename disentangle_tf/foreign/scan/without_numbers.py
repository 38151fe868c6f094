"""Strips an ONNX file of its tensors' numbers, so that little has to be parsed."""

from __future__ import annotations

import mmap
from collections.abc import Mapping

from disentangle_tf.errors import ModelError

# {number of a field: None to leave it out, or the same for what is inside}.
Fields = Mapping[int, "Fields | None"]
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5
# Numbers of the fields of ModelProto, GraphProto, NodeProto, ... that lead to those to
# leave out: `raw_data` of initialisers and of constants.
NUMBERS = {7: {5: {9: None}, 1: {5: {5: {9: None}}}}}
# The same, and all nodes and functions: inputs and outputs remain.
NUMBERS_AND_NODES = {7: {5: {9: None}, 1: None}, 25: None}
_SMALL = 1024  # fields of fewer bytes are kept whole


def without_numbers(
  content: bytes | memoryview | mmap.mmap, fields: Fields = NUMBERS
) -> bytes:
  """Remove some fields from the bytes of a protocol buffer.

  Args:
    content: the bytes.
    fields: {number of a field: None to leave it out, or the same for what is inside}.
  """
  content = memoryview(content)
  kept, start, at = [], 0, 0
  while at < len(content):
    begin = at
    key, at = _number(content, at)
    number, kind = key >> 3, key & 7
    if kind == _VARINT:
      _, at = _number(content, at)
    elif kind in (_FIXED_64, _FIXED_32):
      at += 8 if kind == _FIXED_64 else 4
    elif kind == _BYTES:
      size, inside = _number(content, at)
      at = inside + size
      if at > len(content):
        raise _damaged()
      within = fields.get(number)
      if number in fields and (within is None or size > _SMALL):
        kept.append(content[start:begin])
        if within is not None:
          inner = without_numbers(content[inside:at], within)
          kept += [_bytes_of(key), _bytes_of(len(inner)), inner]
        start = at
    else:
      raise _damaged()  # groups, which ONNX does not have
  if at > len(content):
    raise _damaged()
  return b"".join([*kept, content[start:]])


def _number(content: memoryview, at: int) -> tuple[int, int]:
  """(the number of variable length at `at`, its end)."""
  value = 0
  for shift in range(0, 70, 7):
    if at >= len(content):
      raise _damaged()
    byte = content[at]
    at += 1
    value |= (byte & 127) << shift
    if byte < 128:
      return value & (2**64 - 1), at
  raise _damaged()


def _bytes_of(value: int) -> bytes:
  found = bytearray()
  while value > 127:
    found.append(value & 127 | 128)
    value >>= 7
  return bytes([*found, value])


def _damaged() -> ModelError:
  return ModelError("the ONNX file is damaged: it cannot be parsed")

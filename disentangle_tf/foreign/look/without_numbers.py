"""Strips an ONNX file of its tensors' numbers, so that little has to be parsed."""

from disentangle_tf.errors import ModelError

_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5
# Numbers of the fields of ModelProto, GraphProto, NodeProto, ... that lead to what is
# left out: `raw_data` of initialisers and of constants.
NUMBERS = {7: {5: {9: None}, 1: {5: {5: {9: None}}}}}
# The same, and all nodes and functions: what is left tells inputs and outputs.
NUMBERS_AND_NODES = {7: {5: {9: None}, 1: None}, 25: None}
_SMALL = 1024  # bytes that are not worth looking inside


def without_numbers(content, fields=NUMBERS):
  """The bytes of a protocol buffer without some of its fields.

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
      if number in fields and (fields[number] is None or size > _SMALL):
        kept.append(content[start:begin])
        if fields[number] is not None:
          inner = without_numbers(content[inside:at], fields[number])
          kept += [_bytes_of(key), _bytes_of(len(inner)), inner]
        start = at
    else:
      raise _damaged()  # groups, which ONNX does not have
  if at > len(content):
    raise _damaged()
  return b"".join([*kept, content[start:]])


def _number(content, at):
  """(a number of variable length, where it ends)."""
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


def _bytes_of(value):
  found = bytearray()
  while value > 127:
    found.append(value & 127 | 128)
    value >>= 7
  return bytes([*found, value])


def _damaged():
  return ModelError("the ONNX file is damaged: it cannot be parsed")

"""Reads a StableHLO module: MLIR bytecode, a table of operations and the operations.

https://mlir.llvm.org/docs/BytecodeFormat describes the format. Two of its versions are
read: what JAX wrote until 2024, and what it has written since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
  from collections.abc import Iterator, Sequence

_T = TypeVar("_T")
MOST_OPERATIONS = 500_000
_DEEPEST = 50
_MAGIC, _OLD, _NEW = b"ML\xefR", 0, 6
_STRINGS, _DIALECTS, _ATTRIBUTES, _OFFSETS, _CODE, _RESOURCES = range(6)
_PROPERTIES = 8
_HAS_ATTRIBUTES, _HAS_RESULTS, _HAS_OPERANDS, _HAS_SUCCESSORS = 1, 2, 4, 8
_HAS_REGIONS, _HAS_USES, _HAS_PROPERTIES = 16, 32, 64
_BUILTIN_DICTIONARY, _BUILTIN_STRING, _VHLO_STRING = 1, 2, 14

CUSTOM_CALL = "custom_call"
_TARGET = b"call_target_name"
# In the order of their names, in which their values are stored.
_CALL_PROPERTIES = (
  b"api_version",
  b"backend_config",
  _TARGET,
  b"called_computations",
  b"has_side_effect",
  b"operand_layouts",
  b"output_operand_aliases",
  b"result_layouts",
)


class UnreadableError(Exception):
  """The bytes are not those of a StableHLO module."""


class _Reader:
  """Reads numbers and bytes, one after another."""

  def __init__(self, content: bytes) -> None:
    self._content, self._at = content, 0

  def __bool__(self) -> bool:
    return self._at < len(self._content)

  def take(self, count: int) -> bytes:
    if count > len(self._content) - self._at:
      raise UnreadableError("it is cut short")
    self._at += count
    return self._content[self._at - count : self._at]

  def byte(self) -> int:
    return self.take(1)[0]

  def number(self) -> int:
    """A number: the first byte ends with as many zero bits as bytes follow."""
    first = self.byte()
    if not first:
      return int.from_bytes(self.take(8), "little")
    more = (first & -first).bit_length() - 1
    return int.from_bytes(bytes([first]) + self.take(more), "little") >> (more + 1)

  def flagged(self) -> tuple[int, bool]:
    """(number, flag)."""
    number = self.number()
    return number >> 1, bool(number & 1)

  def numbers(self, count: int) -> list[int]:
    return [self.number() for _ in range(min(count, len(self._content) + 1))]

  def section(self) -> tuple[int, bytes]:
    """(kind, content); sections that need alignment are not supported."""
    kind = self.byte()
    size = self.number()
    if kind > _PROPERTIES:
      raise UnreadableError(f"it has a part of kind {kind}")
    return kind, self.take(size)


class Module:
  """A module's tables.

  Attributes:
    operations: (dialect, name without version) of each kind of operation that occurs;
      custom calls are among them.
  """

  def __init__(self, content: bytes) -> None:
    reader = _Reader(content)
    if reader.take(4) != _MAGIC:
      raise UnreadableError("it is not MLIR bytecode")
    version = reader.number()
    if version not in (_OLD, _NEW):
      raise UnreadableError(f"it is MLIR bytecode of version {version}")
    self._is_new = version == _NEW
    while reader.byte():  # the name of the program that wrote it
      pass
    self._sections = {}
    while reader:
      kind, part = reader.section()
      if kind in self._sections:
        raise UnreadableError("it has a part twice")
      self._sections[kind] = part
    if self._sections.get(_RESOURCES):
      raise UnreadableError("it has resources")
    self._strings = self._read_strings()
    self._dialects, self._names = self._read_names()
    self.operations = list(map(_operation, self._names))

  def targets(self) -> list[bytes]:
    """Names of what the custom calls call, sorted."""
    self._attributes = self._read_attributes()
    self._properties = self._read_properties()
    return sorted({self._target(*call) for call in self._custom_calls()})

  def _part(self, kind: int) -> _Reader:
    if kind not in self._sections:
      raise UnreadableError("a part of it is missing")
    return _Reader(self._sections[kind])

  def _read_strings(self) -> list[bytes]:
    reader = self._part(_STRINGS)
    sizes = reader.numbers(reader.number())[::-1]
    if not all(sizes):
      raise UnreadableError("a string has no end")
    strings = [reader.take(size)[:-1] for size in sizes]
    if reader:
      raise UnreadableError("there is more than its strings")
    return strings

  def _read_names(self) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
    """(dialects, [(dialect, operation)])."""
    reader, dialects, names = self._part(_DIALECTS), [], []
    for _ in range(reader.number()):
      number, is_versioned = self._flagged(reader, False)
      dialects.append(_entry(self._strings, number))
      if is_versioned:
        reader.section()
    if self._is_new:
      reader.number()  # how many operations there are
    while reader:
      dialect = _entry(dialects, reader.number())
      for _ in range(reader.number()):
        number, is_registered = self._flagged(reader, True)
        if not is_registered:
          raise UnreadableError("an operation in it is not registered")
        names.append((dialect, _entry(self._strings, number)))
    return dialects, names

  def _flagged(self, reader: _Reader, flag: bool) -> tuple[int, bool]:
    """(number, flag); the old version has only the number."""
    return reader.flagged() if self._is_new else (reader.number(), flag)

  def _read_attributes(self) -> list[tuple[bytes, bytes] | None]:
    """[(dialect, bytes)] of all attributes; None for those written as text."""
    offsets, content = self._part(_OFFSETS), self._part(_ATTRIBUTES)
    count, _ = offsets.numbers(2)
    found = []
    while len(found) < count:
      dialect = _entry(self._dialects, offsets.number())
      for _ in range(offsets.number()):
        size, is_encoded = offsets.flagged()
        data = content.take(size)
        found.append((dialect, data) if is_encoded else None)
    if len(found) > count:
      raise UnreadableError("it has more attributes than it says")
    return found

  def _read_properties(self) -> list[bytes]:
    if not self._is_new:  # they are among the attributes
      return []
    reader = self._part(_PROPERTIES)
    return [reader.take(reader.number()) for _ in range(reader.number())]

  def _custom_calls(self) -> list[tuple[int | None, int | None]]:
    """(properties, attributes) of every custom call, each a number or None."""
    self._seen, reader = 0, self._part(_CODE)
    calls = list(self._calls_of_block(reader, 0))
    if reader:
      raise UnreadableError("there is more than its operations")
    return calls

  def _calls_of_block(
    self, reader: _Reader, depth: int
  ) -> Iterator[tuple[int | None, int | None]]:
    operations, has_arguments = reader.flagged()
    if has_arguments:
      count = reader.number()
      for _ in range(count):
        _, is_located = self._flagged(reader, True)
        if is_located:
          reader.number()
      if self._is_new and reader.byte():
        _skip_uses(reader, count)
    for _ in range(operations):
      yield from self._calls_of_operation(reader, depth)

  def _calls_of_operation(
    self, reader: _Reader, depth: int
  ) -> Iterator[tuple[int | None, int | None]]:
    self._seen += 1
    if self._seen > MOST_OPERATIONS:
      raise UnreadableError(f"it has more than {MOST_OPERATIONS} operations")
    name, mask, _ = reader.number(), reader.byte(), reader.number()
    if not self._is_new and mask & (_HAS_PROPERTIES | _HAS_USES):
      raise UnreadableError("an operation in it is of a later version")
    attributes = reader.number() if mask & _HAS_ATTRIBUTES else None
    properties = reader.number() if mask & _HAS_PROPERTIES else None
    results = reader.numbers(reader.number()) if mask & _HAS_RESULTS else ()
    for part in (_HAS_OPERANDS, _HAS_SUCCESSORS):
      if mask & part:
        reader.numbers(reader.number())
    if mask & _HAS_USES:
      _skip_uses(reader, len(results))
    if _entry(self.operations, name)[1] == CUSTOM_CALL:
      yield properties, attributes
    regions, is_isolated = reader.flagged() if mask & _HAS_REGIONS else (0, False)
    if regions and is_isolated and self._is_new:
      kind, part = reader.section()
      if kind != _CODE:
        raise UnreadableError("a region of it is none")
      reader = _Reader(part)
    if depth > _DEEPEST:
      raise UnreadableError(f"it has more than {_DEEPEST} levels")
    for _ in range(regions):
      blocks = reader.number()
      if blocks:
        reader.number()  # how many values the region has
      for _ in range(blocks):
        yield from self._calls_of_block(reader, depth + 1)

  def _target(self, properties: int | None, attributes: int | None) -> bytes:
    """The target of a custom call."""
    found = [] if attributes is None else list(self._named(attributes))
    if properties is not None:
      stored = _Reader(_entry(self._properties, properties))
      values = stored.numbers(len(_CALL_PROPERTIES))
      if stored:
        raise UnreadableError("a call in it has more properties than are known")
      found += zip(_CALL_PROPERTIES, values, strict=True)
    # With two targets, either could be called.
    targets = [value for name, value in found if name == _TARGET]
    if len(targets) != 1:
      raise UnreadableError(f"a call in it has {len(targets)} targets")
    return self._string(targets[0], b"vhlo", _VHLO_STRING)

  def _named(self, number: int) -> Iterator[tuple[bytes, int]]:
    """(name, number of the value) of every attribute in a dictionary."""
    reader = self._attribute(number, b"builtin", _BUILTIN_DICTIONARY)
    for _ in range(reader.number()):
      name, value = reader.numbers(2)
      yield self._string(name, b"builtin", _BUILTIN_STRING), value

  def _string(self, number: int, dialect: bytes, code: int) -> bytes:
    return _entry(self._strings, self._attribute(number, dialect, code).number())

  def _attribute(self, number: int, dialect: bytes, code: int) -> _Reader:
    """The reader of an attribute that must be of this kind."""
    attribute = _entry(self._attributes, number)
    if attribute is None or attribute[0] != dialect:
      raise UnreadableError("an attribute of a call is not as it should be")
    reader = _Reader(attribute[1])
    if reader.number() != code:
      raise UnreadableError("an attribute of a call is not as it should be")
    return reader


def _entry(entries: Sequence[_T], number: int) -> _T:
  if number >= len(entries):
    raise UnreadableError("a number in it is too large")
  return entries[number]


def _skip_uses(reader: _Reader, values: int) -> None:
  """Skip the order in which values are used."""
  for _ in range(reader.number() if values > 1 else 1):
    if values > 1:
      reader.number()
    count, _ = reader.flagged()
    reader.numbers(count)


def _operation(pair: tuple[bytes, bytes]) -> tuple[bytes, str]:
  """(dialect, name) of an operation, of StableHLO's own without its version."""
  dialect, name = pair[0], pair[1].decode(errors="replace")
  stem, _, version = name.rpartition("_v")
  return dialect, stem if dialect == b"vhlo" and version.isdecimal() else name

"""Damages files a little: bytes, JSON, messages."""

import copy
import io
import json
import zipfile

NUMBERS = (-1, 0, 1, 255, 256, 2**15, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 10**30)
TEXTS = (
  "",
  "\x00",
  "\x1b[2J",
  "x" * 5_000,
  "../../etc/passwd",
  "=1+1",
  "<script>",
  "\ud800",
  "1" * 5_000,
  "WriteFile",
  "__class__",
)
OTHERS = (None, True, [], {}, [[]], 1e308, -0.5, float("nan"), float("inf"))


def mutate_bytes(content, rng):
  """Change, move, double or remove one to three places of bytes."""
  content = bytearray(content)
  for _ in range(rng.integers(1, 4)):
    if not content:
      break
    start = int(rng.integers(len(content)))
    size = int(min(rng.geometric(0.05), len(content) - start))
    kind = rng.integers(6)
    if kind == 0:
      content[start] ^= 1 << int(rng.integers(8))
    elif kind == 1:
      content[start : start + size] = rng.bytes(size)
    elif kind == 2:
      del content[start : start + size]
    elif kind == 3:
      content[start:start] = content[start : start + size] * int(rng.integers(1, 9))
    elif kind == 4:
      number = NUMBERS[rng.integers(len(NUMBERS) - 1)] % 2**64
      width = int(rng.choice([1, 2, 4, 8]))
      content[start : start + width] = (number % 2 ** (8 * width)).to_bytes(
        width, "little"
      )
    else:
      del content[start:]
  return bytes(content)


def mutate_json(value, rng):
  """A copy of lists and dicts with one to three parts replaced."""
  value = copy.deepcopy(value)
  for _ in range(rng.integers(1, 4)):
    places = list(_places(value))
    if not places:
      return value
    holder, key = places[rng.integers(len(places))]
    kind = rng.integers(5)
    if kind == 0:
      del holder[key]
    elif kind == 1 and isinstance(holder, dict):
      holder[_pick(TEXTS, rng)] = holder.pop(key)
    elif kind == 2:  # something from elsewhere
      other, name = places[rng.integers(len(places))]
      holder[key] = copy.deepcopy(other[name])
    else:
      holder[key] = _pick((*NUMBERS, *TEXTS, *OTHERS), rng)
  return value


def mutate_message(message, rng):
  """Changes one to three fields of a protocol buffer, however deep, in place."""
  for _ in range(rng.integers(1, 4)):
    holders = list(_messages(message))
    holder = holders[rng.integers(len(holders))]
    fields = [field for field, _ in holder.ListFields()] or holder.DESCRIPTOR.fields
    if not fields:
      continue
    field = fields[rng.integers(len(fields))]
    try:
      _mutate_field(holder, field, holders, rng)
    except (TypeError, ValueError, KeyError, IndexError, OverflowError):
      continue  # a value that the field does not accept
  return message


def mutate_member(content, name, change):
  """The bytes of a zip archive whose member `name` is changed by a function."""
  stream = io.BytesIO()
  with (
    zipfile.ZipFile(io.BytesIO(content)) as archive,
    zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as result,
  ):
    for member in archive.namelist():
      data = archive.read(member)
      result.writestr(member, change(data) if member == name else data)
  return stream.getvalue()


def json_change(rng):
  """A function that changes the content of a JSON text."""
  return lambda content: json.dumps(mutate_json(json.loads(content), rng)).encode(
    errors="surrogatepass"
  )


def _places(value):
  """All (holder, key) within lists and dicts."""
  pending = [value]
  while pending:
    holder = pending.pop()
    if isinstance(holder, dict | list):
      keys = holder if isinstance(holder, dict) else range(len(holder))
      yield from ((holder, key) for key in keys)
      pending += holder.values() if isinstance(holder, dict) else holder


def _messages(message):
  pending = [message]
  while pending:
    holder = pending.pop()
    yield holder
    for field, value in holder.ListFields():
      if field.message_type and not _is_map(field):
        pending += value if field.is_repeated else [value]


def _is_map(field):
  return field.message_type is not None and field.message_type.GetOptions().map_entry


def _mutate_field(holder, field, holders, rng):
  value = getattr(holder, field.name)
  kind = rng.integers(3)
  if kind == 0:
    holder.ClearField(field.name)
  elif _is_map(field):
    name = _pick(TEXTS, rng)
    if field.message_type.fields_by_name["value"].message_type:
      value[name].SetInParent()
    else:
      value[name] = _pick(TEXTS, rng)
  elif field.is_repeated:
    for _ in range(int(rng.integers(1, 4))):
      if field.message_type:
        value.add().CopyFrom(value[rng.integers(len(value))])
      else:
        value.append(_scalar(field, rng))
  elif field.message_type:
    twins = [other for other in holders if other.DESCRIPTOR is field.message_type]
    value.CopyFrom(twins[rng.integers(len(twins))])
  else:
    setattr(holder, field.name, _scalar(field, rng))


def _scalar(field, rng):
  if field.type == field.TYPE_BYTES:
    return rng.bytes(int(rng.integers(64)))
  if field.type == field.TYPE_STRING:
    return _pick(TEXTS, rng)
  return _pick(NUMBERS, rng)


def _pick(values, rng):
  return values[rng.integers(len(values))]

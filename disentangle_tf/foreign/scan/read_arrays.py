"""Read arrays in the child, without unpickling and without zip bombs."""

from __future__ import annotations

import math
import pathlib
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.text import printable

if TYPE_CHECKING:
  import os
  from typing import IO, Any


_MOST_MEMBERS = 10_000
# Other methods unpack a whole member before they can be stopped.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def zip_members(archive: zipfile.ZipFile, *, most_bytes: int) -> list[zipfile.ZipInfo]:
  """The members of an open archive, if it is not a bomb.

  Args:
    archive: a `zipfile.ZipFile`.
    most_bytes: the most bytes that all members together may unpack to.
  """
  members = archive.infolist()
  if len(members) > _MOST_MEMBERS:
    raise ModelError(f"refused: it holds more than {_MOST_MEMBERS:,} files")
  if any(member.compress_type not in _METHODS for member in members):
    raise ModelError(
      "refused: it is packed with another method than deflate; pack it again"
    )
  if sum(member.file_size for member in members) > most_bytes:
    raise ModelError(f"refused: it unpacks to more than {most_bytes:,} bytes")
  return members


# {array that is read: type of its numbers in the answer}.
SENT_AS = {"codes": "<f4", "log_variances": "<f4", "factors": "<f8"}
_NAMES = "names"
_MOST_BYTES = 4 * 2**30
_MOST_NAMES = 1_000


def read_arrays(path: str | os.PathLike) -> tuple[dict[str, Any], list[np.ndarray]]:
  """Read the arrays of a file; nothing is unpickled.

  Returns:
    ({"arrays": {name: {"dtype", "shape", "numbers": whether it is numeric}}, "names":
    texts or None}, the numeric arrays in the order and of the types of `SENT_AS`).
  """
  path = pathlib.Path(path)
  try:
    found = _npy(path) if path.suffix.lower() == ".npy" else _npz(path)
    names = _texts(found.get(_NAMES))
  except (ModelError, MemoryError):
    raise
  except Exception as error:  # zipfile, zlib and NumPy raise many kinds
    raise ModelError(f"it cannot be read: {printable(error)}") from error
  described = {
    name: {
      "dtype": str(array.dtype),
      "shape": list(array.shape),
      "numbers": array.dtype.kind in "iufb",
    }
    for name, array in found.items()
  }
  with np.errstate(over="ignore"):  # infinity is reported where numbers are checked
    numbers = [
      np.ascontiguousarray(found[name], dtype)
      for name, dtype in SENT_AS.items()
      if name in found and described[name]["numbers"]
    ]
  return {"arrays": described, "names": names}, numbers


def _npy(path: pathlib.Path) -> dict[str, np.ndarray]:
  with open(path, "rb") as file:
    return {"codes": _array(file, path.stat().st_size)}


def _npz(path: pathlib.Path) -> dict[str, np.ndarray]:
  with zipfile.ZipFile(path) as archive:
    members = {m.filename: m for m in zip_members(archive, most_bytes=_MOST_BYTES)}
    if "codes.npy" not in members:
      held = ", ".join(printable(n.removesuffix(".npy")) for n in sorted(members)[:20])
      raise ModelError(f"it has no array 'codes', it has {held or 'nothing'}")
    found = {}
    for name in (*SENT_AS, _NAMES):
      if member := members.get(f"{name}.npy"):
        with archive.open(member) as file:
          found[name] = _array(file, member.file_size)
    return found


def _array(file: IO[bytes], size: int) -> np.ndarray:
  """The array in `size` bytes of a file in NumPy's format."""
  readers = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
  }
  shape, by_columns, dtype = readers[np.lib.format.read_magic(file)](file)
  if dtype.hasobject:
    raise ValueError("it holds objects, not numbers")
  expected = math.prod(shape) * dtype.itemsize
  if min(shape, default=0) < 0 or not 0 <= expected <= size:
    raise ValueError(f"an array of shape {shape} does not fit into the file")
  content = file.read(expected)
  if len(content) < expected:
    raise ValueError("it ends too early")
  array = np.frombuffer(content, dtype, count=math.prod(shape))
  return array.reshape(shape, order="F" if by_columns else "C")


def _texts(names: np.ndarray | None) -> list[str] | None:
  if names is None or names.dtype.kind != "U" or names.size > _MOST_NAMES:
    return None
  return [printable(name) for name in names.ravel()]

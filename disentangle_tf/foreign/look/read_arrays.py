"""Reads codes in an .npz or .npy file, inside the confined process."""

import math
import pathlib
import zipfile

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.look.zip_members import zip_members
from disentangle_tf.strangers_text import printable

# What is read, and as what it is handed on.
SENT_AS = {"codes": "<f4", "log_variances": "<f4", "factors": "<f8"}
_NAMES = "names"
_MOST_BYTES = 4 * 2**30
_MOST_NAMES = 1_000


def read_arrays(path):
  """(what arrays there are, the numbers of those that hold numbers).

  Nothing is unpickled. The description is {"arrays": {name: {"dtype", "shape",
  "numbers": whether it holds any}}, "names": texts or None}; the numbers are arrays in
  that order, of the types in `SENT_AS`.
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
  with np.errstate(over="ignore"):  # infinity is told where the numbers are checked
    numbers = [
      np.ascontiguousarray(found[name], dtype)
      for name, dtype in SENT_AS.items()
      if name in found and described[name]["numbers"]
    ]
  return {"arrays": described, "names": names}, numbers


def _npy(path):
  with open(path, "rb") as file:
    return {"codes": _array(file, path.stat().st_size)}


def _npz(path):
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


def _array(file, size):
  """The array in the `size` bytes of a file of NumPy's."""
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


def _texts(names):
  if names is None or names.dtype.kind != "U" or names.size > _MOST_NAMES:
    return None
  return [printable(name) for name in names.ravel()]

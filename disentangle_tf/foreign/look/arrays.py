"""Has arrays of codes (.npz, .npy) read in a confined process, and checks them."""

import dataclasses
import math
import pathlib
import sys
import tempfile

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.confine.child_process import ChildProcess, nonsense
from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.foreign.copy_model import copy_model
from disentangle_tf.foreign.look.read_arrays import SENT_AS, read_arrays
from disentangle_tf.strangers_text import printable

_MOST_BYTES = 2**20  # of what is said about the arrays
_MOST_NUMBERS = 2**28


@dataclasses.dataclass(frozen=True)
class Arrays:
  """The arrays of an .npz or .npy file of whoever made it.

  Attributes:
    path: of the file, as a text to print.
    sha256: of what was read.
    dtypes, shapes: {name: as in the file}.
    numbers: {name: array} of those that hold numbers: codes and log_variances float32,
      factors float64.
    names: of the factors, None if there are none that can be read.
  """

  path: str
  sha256: str
  dtypes: dict
  shapes: dict
  numbers: dict
  names: list | None

  @classmethod
  def read(cls, path, limits=None):
    """The arrays of a private copy of the file, read in a confined process."""
    path = pathlib.Path(path)
    with tempfile.TemporaryDirectory() as folder:
      copied, _ = copy_model(path, folder)
      ((name, sha256),) = copied.items()
      try:
        found = _read(pathlib.Path(folder) / name, limits or Limits())
      except ModelError as error:
        raise ModelError(f"{printable(path)}: {error}") from error
    return cls(printable(path), sha256, *found)


def _read(path, limits):
  if sys.platform != "linux":  # there they are read here: nothing is unpickled
    description, arrays = read_arrays(path)
    contents = map(memoryview, arrays)
    return _checked(description, lambda count: next(contents))
  settings = {"task": "arrays", "path": str(path)}
  with ChildProcess(settings, limits, doing="to be read") as child:
    return _checked(child.receive_description(most=_MOST_BYTES), child.receive)


def _checked(description, receive):
  """(dtypes, shapes, numbers, names), or an error if they are not what they should."""
  try:
    described, names = description["arrays"], description["names"]
    shapes = {name: tuple(map(int, a["shape"])) for name, a in described.items()}
    dtypes = {name: str(a["dtype"])[:100] for name, a in described.items()}
    sent = [
      name for name in SENT_AS if name in described and described[name]["numbers"]
    ]
    if names is not None:
      names = [str(name)[:200] for name in names]
  except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
    raise nonsense() from error
  numbers = {}
  for name in sent:
    count = math.prod(shapes[name])
    if not 0 <= count <= _MOST_NUMBERS or min(shapes[name], default=0) < 0:
      raise ModelError(f"{name} are more than {_MOST_NUMBERS:,} numbers")
    dtype = np.dtype(SENT_AS[name])
    content = receive(dtype.itemsize * count)
    numbers[name] = np.frombuffer(content, dtype).reshape(shapes[name])
  return dtypes, shapes, numbers, names

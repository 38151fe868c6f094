"""Ask the scanning child, and check its answers."""

from __future__ import annotations

import dataclasses
import importlib.util
import math
import pathlib
import sys
import tempfile
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.copy_model import copy_model
from disentangle_tf.foreign.sandbox.child_process import ChildProcess, nonsense
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.foreign.scan.read_arrays import SENT_AS, read_arrays
from disentangle_tf.foreign.scan.scan_in_child import look_at
from disentangle_tf.foreign.scan.verdict import Finding, Offer, Tensor, Verdict
from disentangle_tf.text import printable

if TYPE_CHECKING:
  import os
  from collections.abc import Callable
  from typing import Any


# (dtypes, shapes, numbers, names), see `Arrays`.
ArrayParts = tuple[
  dict[str, str], dict[str, tuple[int, ...]], dict[str, np.ndarray], list[str] | None
]
_MOST_BYTES = 2**20  # of the description of the arrays
_MOST_NUMBERS = 2**28


@dataclasses.dataclass(frozen=True)
class Arrays:
  """The arrays of a foreign .npz or .npy file: codes, factors, log-variances.

  Attributes:
    path: path of the file, escaped for printing.
    sha256: sha256 of the file.
    dtypes, shapes: {name of an array: its type, its shape in the file}.
    numbers: {name: array} of the numeric arrays: codes and log_variances float32
      [N, latents], factors float64 [N, factors].
    names: names of the factors, None if there are none that can be read.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import foreign
    >>> np.savez("codes.npz", codes=np.ones((3, 2)), factors=np.arange(3)[:, None])
    >>> arrays = foreign.Arrays.read("codes.npz")
    >>> arrays.numbers["codes"].shape, arrays.shapes["factors"], arrays.names
    ((3, 2), (3, 1), None)
  """

  path: str
  sha256: str
  dtypes: dict[str, str]
  shapes: dict[str, tuple[int, ...]]
  numbers: dict[str, np.ndarray]
  names: list[str] | None

  @classmethod
  def read(cls, path: str | os.PathLike, limits: Limits | None = None) -> Arrays:
    """Read a private copy of a file in a sandbox.

    Args:
      path: an .npz file with an array "codes", or an .npy file of codes.
      limits: `Limits` of the sandbox.

    Raises:
      ModelError: the file is damaged, too large, or has no codes.
    """
    path = pathlib.Path(path)
    with tempfile.TemporaryDirectory() as folder:
      copied, _ = copy_model(path, folder)
      ((name, sha256),) = copied.items()
      try:
        found = _read(pathlib.Path(folder) / name, limits or Limits())
      except ModelError as error:
        raise ModelError(f"{printable(path)}: {error}") from error
    return cls(printable(path), sha256, *found)


def _read(path: pathlib.Path, limits: Limits) -> ArrayParts:
  if sys.platform != "linux":  # read in this process: nothing is unpickled
    description, arrays = read_arrays(path)
    contents = map(memoryview, arrays)
    return _checked(description, lambda count: next(contents))
  settings = {"task": "arrays", "path": str(path)}
  with ChildProcess(settings, limits, doing="to be read") as child:
    return _checked(child.receive_description(most=_MOST_BYTES), child.receive)


def _checked(
  description: Any, receive: Callable[[int], bytes | memoryview]
) -> ArrayParts:
  """Check the child's answer: (dtypes, shapes, numbers, names)."""
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
      raise ModelError(f"{name} has more than {_MOST_NUMBERS:,} numbers")
    dtype = np.dtype(SENT_AS[name])
    content = receive(dtype.itemsize * count)
    numbers[name] = np.frombuffer(content, dtype).reshape(shapes[name])
  return dtypes, shapes, numbers, names


_MOST_ANSWER_BYTES = 2**22  # of the answer about a model


@dataclasses.dataclass(frozen=True)
class Look:
  """The result of a scan.

  Attributes:
    verdict: the `Verdict`.
    offers: its functions, a list of `Offer`s.
    kind: the kind for `running.load_model`.
    tags: tags of the graph to load; None unless it is of TensorFlow 1.
  """

  verdict: Verdict
  offers: list[Offer]
  kind: str
  tags: list[str] | None


def look(kind: str, path: str | os.PathLike, limits: Limits) -> Look:
  """Scan a private copy of a model in a sandbox.

  A file that takes over the sandbox can only lie about the model: the answer consists
  of texts and whole numbers, which are checked here.
  """
  _check_packages(kind)
  if sys.platform != "linux":  # there only trusted models run
    return _read_answer(look_at(kind, path))
  settings = {"task": "look", "kind": kind, "path": str(path)}
  with ChildProcess(settings, limits, doing="to be scanned") as child:
    return _read_answer(child.receive_description(most=_MOST_ANSWER_BYTES))


def _check_packages(kind: str) -> None:
  needed = ("onnx", "onnxruntime") if kind == "onnx" else ()
  if not all(map(importlib.util.find_spec, needed)):
    raise UserError(
      'ONNX files need two packages: pip install -e ".[onnx]" -c constraints.txt'
    )


def _read_answer(found: Any) -> Look:
  try:
    verdict = found["verdict"]
    return Look(
      Verdict(
        _text(verdict["kind"]),
        tuple(
          Finding(*(_text(finding[part]) for part in ("what", "where", "ask")))
          for finding in verdict["findings"]
        ),
        {_text(what): int(count) for what, count in verdict["looked_at"].items()},
      ),
      [
        Offer(
          _text(offer["name"]), _tensors(offer["inputs"]), _tensors(offer["outputs"])
        )
        for offer in found["offers"]
      ],
      _text(found["kind"]),
      None if found["tags"] is None else [_text(tag) for tag in found["tags"]],
    )
  except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
    raise nonsense() from error


def _tensors(found: Any) -> tuple[Tensor, ...]:
  return tuple(
    Tensor(_text(tensor["name"]), _text(tensor["dtype"]), _shape(tensor["shape"]))
    for tensor in found
  )


def _shape(sizes: Any) -> tuple[int | None, ...] | None:
  if sizes is None:
    return None
  if not all(size is None or type(size) is int for size in sizes):
    raise TypeError("sizes must be whole numbers")
  return tuple(sizes)


def _text(value: object) -> str:
  if not isinstance(value, str):
    raise TypeError("a name must be a text")
  return value

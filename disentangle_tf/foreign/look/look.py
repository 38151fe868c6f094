"""Has a model scanned in a sandbox, and checks the sandbox's answer."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.confine.child_process import ChildProcess, nonsense
from disentangle_tf.foreign.look.look_at import look_at
from disentangle_tf.foreign.look.offer import Offer, Tensor
from disentangle_tf.foreign.look.verdict import Finding, Verdict

if TYPE_CHECKING:
  import os
  from typing import Any

  from disentangle_tf.foreign.confine.limits import Limits

_MOST_BYTES = 2**22  # of the answer about a model


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
    return _read(look_at(kind, path))
  settings = {"task": "look", "kind": kind, "path": str(path)}
  with ChildProcess(settings, limits, doing="to be scanned") as child:
    return _read(child.receive_description(most=_MOST_BYTES))


def _check_packages(kind: str) -> None:
  needed = ("onnx", "onnxruntime") if kind == "onnx" else ()
  if not all(map(importlib.util.find_spec, needed)):
    raise UserError(
      'ONNX files need two packages: pip install -e ".[onnx]" -c constraints.txt'
    )


def _read(found: Any) -> Look:
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

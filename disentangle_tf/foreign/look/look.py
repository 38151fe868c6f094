"""Has a model looked at in a confined process, and checks what that process says."""

import dataclasses
import importlib.util
import sys

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.confine.child_process import ChildProcess, nonsense
from disentangle_tf.foreign.look.look_at import look_at
from disentangle_tf.foreign.look.offer import Offer, Tensor
from disentangle_tf.foreign.look.verdict import Finding, Verdict

_MOST_BYTES = 2**22  # of what is said about a model


@dataclasses.dataclass(frozen=True)
class Look:
  """What a model's files say.

  Attributes:
    verdict: the `Verdict`.
    offers: what it offers, a list of `Offer`s.
    kind: for `running.load_model`.
    tags: of the graph to load, None unless it is of TensorFlow 1.
  """

  verdict: Verdict
  offers: list
  kind: str
  tags: list | None


def look(kind, path, limits):
  """The `Look` at a private copy of a model, taken in a confined process.

  Whoever gets hold of that process can lie about the model, and no more: what it says
  are texts and whole numbers, checked here.
  """
  _check_packages(kind)
  if sys.platform != "linux":  # where only models that are trusted run
    return _read(look_at(kind, path))
  settings = {"task": "look", "kind": kind, "path": str(path)}
  with ChildProcess(settings, limits, doing="to be looked at") as child:
    return _read(child.receive_description(most=_MOST_BYTES))


def _check_packages(kind):
  needed = ("onnx", "onnxruntime") if kind == "onnx" else ()
  if not all(map(importlib.util.find_spec, needed)):
    raise UserError(
      'ONNX files need two packages: pip install -e ".[onnx]" -c constraints.txt'
    )


def _read(found):
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


def _tensors(found):
  return tuple(
    Tensor(_text(tensor["name"]), _text(tensor["dtype"]), _shape(tensor["shape"]))
    for tensor in found
  )


def _shape(sizes):
  if sizes is None:
    return None
  if not all(size is None or type(size) is int for size in sizes):
    raise TypeError("sizes must be whole numbers")
  return tuple(sizes)


def _text(value):
  if not isinstance(value, str):
    raise TypeError("a name must be a text")
  return value

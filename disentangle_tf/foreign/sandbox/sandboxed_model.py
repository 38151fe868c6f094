"""A foreign model that runs in its sandbox, with checked answers."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.sandbox.child_process import ChildProcess, nonsense

if TYPE_CHECKING:
  import os
  from collections.abc import Mapping, Sequence

  from disentangle_tf.foreign.interface.call import Call
  from disentangle_tf.foreign.sandbox.limits import Limits


def check_answer(found: np.ndarray, most: int) -> np.ndarray:
  """Return the answer, float32 [N, width], if it is finite and not too wide.

  Args:
    found: the model's answer.
    most: the largest width that is accepted.
  """
  width = found.shape[1]
  check_width(width, most)
  if not np.isfinite(found).all():
    column = int(np.argwhere(~np.isfinite(found))[0, 1])
    raise ModelError(
      f"the model gave NaN or infinity (in number {column + 1} of the {width} it gives "
      "for an image)"
    )
  return found


def check_width(width: int, most: int) -> None:
  """Raise a `ModelError` if an answer has no numbers per image, or more than `most`."""
  if not 0 < width <= most:
    raise ModelError(f"the model gave {width} numbers per image, at most {most} fit")


class ConfinedModel:
  """A model, loaded in a sandbox.

  Args:
    kind, path, tags: for `running.load_model`.
    calls: {name: `Call`}.
    limits: `Limits`.

  Attributes:
    sandbox: {part of the system: how the process is cut off from it}.
  """

  def __init__(
    self,
    kind: str,
    path: str | os.PathLike,
    tags: Sequence[str] | None,
    calls: Mapping[str, Call],
    limits: Limits,
  ) -> None:
    settings = {
      "task": "run",
      "kind": kind,
      "path": str(path),
      "tags": tags,
      "calls": {name: dataclasses.asdict(call) for name, call in calls.items()},
    }
    self._process = ChildProcess(
      settings, limits, doing="to load", needs_tensorflow=kind != "onnx"
    )
    self.sandbox = self._process.sandbox
    try:
      if self._process.receive_line() != b"ready":
        raise nonsense()
    except BaseException:
      self.close()
      raise

  def close(self) -> None:
    """End the process at once."""
    self._process.close()

  def ask(self, name: str, array: np.ndarray, *, most: int) -> np.ndarray:
    """Run the call `name` on a float32 array: [N, width], all finite.

    Args:
      name: of one of the calls.
      array: [N, ...].
      most: the largest width that is accepted.
    """
    array = np.ascontiguousarray(array, "<f4")
    sizes = " ".join(map(str, array.shape))
    self._process.begin("for one batch")
    self._process.send(f"{name} {sizes}\n".encode())
    self._process.send(array.reshape(-1).view(np.uint8).data)
    sizes = re.fullmatch(rb"(\d{1,12}) (\d{1,12})", self._process.receive_line())
    if not sizes:
      raise nonsense()
    rows, width = map(int, sizes.groups())
    if rows != len(array):
      raise ModelError(f"the model gave {rows} results for {len(array)} inputs")
    check_width(width, most)
    content = self._process.receive(4 * rows * width)
    result = np.frombuffer(content, "<f4").reshape(rows, width).astype(np.float32)
    return check_answer(result, most)

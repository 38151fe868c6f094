"""A stranger's model in a confined process, whose answers are not trusted."""

import dataclasses
import re

import numpy as np

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.confine.check_answer import check_answer, check_width
from disentangle_tf.foreign.confine.child_process import ChildProcess, nonsense


class ConfinedModel:
  """A model, loaded in a confined process.

  Args:
    kind, path, tags: for `running.load_model`.
    calls: {name: `Call`}.
    limits: `Limits`.

  Attributes:
    sandbox: how the process was confined.
  """

  def __init__(self, kind, path, tags, calls, limits):
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

  def close(self):
    """Ends the process, whatever it is doing."""
    self._process.close()

  def ask(self, name, array, *, most):
    """What the call `name` gives for a float32 array: [N, width], all finite.

    Args:
      most: the largest width that is taken.
    """
    array = np.ascontiguousarray(array, "<f4")
    sizes = " ".join(map(str, array.shape))
    self._process.begin("for one batch")
    self._process.send(f"{name} {sizes}\n".encode() + array.tobytes())
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

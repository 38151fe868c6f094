"""The program of the sandbox, the only process that reads foreign files.

`python -m` with this module's name starts it. It reads a line of JSON with its task and
its limits, confines itself, answers with a line of JSON about the sandbox, and does its
task: "look" (scan a model), "arrays" (read arrays) or "run" (run a model). Answers are
JSON and numbers; nothing is ever unpickled.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import TYPE_CHECKING, cast

from disentangle_tf.foreign.sandbox import confinement
from disentangle_tf.keras_imports import forgo_wrapped_packages

if TYPE_CHECKING:
  from collections.abc import Callable, Mapping
  from io import BufferedReader
  from typing import Any, BinaryIO

  Answer = Callable[[bytes | memoryview], object]


def main() -> None:
  """Confine this process, before an import starts threads, and do the task."""
  answers = os.fdopen(os.dup(1), "wb")
  os.dup2(2, 1)  # what a model prints is not an answer
  requests = sys.stdin.buffer
  settings = json.loads(requests.readline())
  done = confinement.confine(settings["path"], **settings["limits"])
  forgo_files()

  def answer(content: bytes | memoryview) -> None:
    answers.write(content)
    answers.flush()

  answer(json.dumps(done).encode() + b"\n")
  try:
    _TASKS[settings["task"]](settings, requests, answer)
  except Exception as error:  # the last line of the error stream is for the user
    words = " ".join(str(error).split())
    print(f"{type(error).__name__}: {words}", file=sys.stderr, flush=True)
    os._exit(4)
  os._exit(0)  # without the clean-up that a model could hang in


def forgo_files() -> None:
  """Keep libraries from looking for files that do not exist in the sandbox."""
  tempfile.tempdir = os.devnull  # TensorFlow asks for one
  forgo_wrapped_packages()  # matplotlib would insist on writing a cache


def _look(settings: Mapping[str, Any], requests: BinaryIO, answer: Answer) -> None:
  """Answer with the result of `look_at`: a line with its size, and JSON."""
  from disentangle_tf.foreign.scan import scan_in_child

  scan_in_child.forgo_tensorflow()
  _describe(answer, lambda: scan_in_child.look_at(settings["kind"], settings["path"]))


def _read_arrays(
  settings: Mapping[str, Any], requests: BinaryIO, answer: Answer
) -> None:
  """Answer with a description of the arrays, as `_look` does, and their numbers."""
  from disentangle_tf.foreign.scan.read_arrays import read_arrays

  contents = []

  def describe() -> Mapping[str, Any]:
    description, arrays = read_arrays(settings["path"])
    contents.extend(arrays)
    return description

  _describe(answer, describe)
  for content in contents:
    answer(memoryview(content).cast("B"))


def _describe(answer: Answer, describe: Callable[[], Mapping[str, Any]]) -> None:
  from disentangle_tf.errors import ModelError

  try:
    found = describe()
  except ModelError as error:
    found = {"error": str(error)}
  content = json.dumps(found).encode()
  answer(f"{len(content)}\n".encode() + content)


def _run(settings: Mapping[str, Any], requests: BinaryIO, answer: Answer) -> None:
  """Load the model, answer the line "ready", and then serve requests.

  A request is a line "FUNCTION SIZE SIZE ..." and float32 numbers. Its answer is a line
  of two sizes and float32 numbers.
  """
  import numpy as np

  from disentangle_tf.foreign.interface.call import Call
  from disentangle_tf.foreign.sandbox import running

  calls = {name: Call.from_json(call) for name, call in settings["calls"].items()}
  model = running.load_model(settings["kind"], settings["path"], settings["tags"])
  if "tensorflow" in sys.modules:  # ONNX models come without it
    import tensorflow as tf

    tf.config.experimental.enable_tensor_float_32_execution(False)
  answer(b"ready\n")
  while line := requests.readline():
    name, *sizes = line.decode().split()
    shape = tuple(map(int, sizes))
    array = np.empty(shape, "<f4")
    cast("BufferedReader", requests).readinto(array.reshape(-1).view(np.uint8).data)
    result = running.run(model, calls[name], array)
    sizes = " ".join(map(str, result.shape))
    answer(f"{sizes}\n".encode() + result.astype("<f4").tobytes())


_TASKS = {"look": _look, "arrays": _read_arrays, "run": _run}


if __name__ == "__main__":
  main()

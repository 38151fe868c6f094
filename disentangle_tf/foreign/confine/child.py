"""The confined process, which alone reads a stranger's files.

`python -m` with this module's name starts it. It reads a line of JSON that says what to
do and what may be used up, confines itself, answers with a line that says how, and does
its task: "look" at a model, read "arrays", or "run" a model.
Answers are JSON and numbers, never anything to be unpickled.
"""

import json
import os
import sys
import tempfile

from disentangle_tf.foreign.confine import sandbox


def main():
  """Confines itself before it imports anything that starts threads."""
  answers = os.fdopen(os.dup(1), "wb")
  os.dup2(2, 1)  # what a model prints is not an answer
  requests = sys.stdin.buffer
  settings = json.loads(requests.readline())
  done = sandbox.confine(settings["path"], **settings["limits"])
  forgo_files()

  def answer(content):
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


def forgo_files():
  """Keeps libraries from asking for files that there are none of."""
  tempfile.tempdir = os.devnull  # TensorFlow asks for a folder
  sys.modules["matplotlib"] = None  # Keras does without; it insists on writing a cache


def _look(settings, requests, answer):
  """Answers with what `look_at` finds: a line with a size, and JSON of that size."""
  from disentangle_tf.foreign.look import look_at

  look_at.forgo_tensorflow()
  _describe(answer, lambda: look_at.look_at(settings["kind"], settings["path"]))


def _read_arrays(settings, requests, answer):
  """Answers with what there is, as `_look` does, and then the numbers themselves."""
  from disentangle_tf.foreign.look.read_arrays import read_arrays

  contents = []

  def describe():
    description, arrays = read_arrays(settings["path"])
    contents.extend(arrays)
    return description

  _describe(answer, describe)
  for content in contents:
    answer(memoryview(content).cast("B"))


def _describe(answer, describe):
  from disentangle_tf.errors import ModelError

  try:
    found = describe()
  except ModelError as error:
    found = {"error": str(error)}
  content = json.dumps(found).encode()
  answer(f"{len(content)}\n".encode() + content)


def _run(settings, requests, answer):
  """Answers the line "ready" when the model is loaded.

  Then requests: a line "FUNCTION SIZE SIZE ..." and float32 numbers; each is answered
  by a line of two sizes and float32 numbers.
  """
  import numpy as np

  from disentangle_tf.foreign.choose.call import Call
  from disentangle_tf.foreign.confine import running

  calls = {name: Call.from_json(call) for name, call in settings["calls"].items()}
  model = running.load_model(settings["kind"], settings["path"], settings["tags"])
  if "tensorflow" in sys.modules:  # ONNX models come without it
    import tensorflow as tf

    tf.config.experimental.enable_tensor_float_32_execution(False)
  answer(b"ready\n")
  while line := requests.readline():
    name, *sizes = line.decode().split()
    shape = tuple(map(int, sizes))
    content = requests.read(4 * int(np.prod(shape)))
    array = np.frombuffer(content, "<f4").reshape(shape)
    result = running.run(model, calls[name], array)
    sizes = " ".join(map(str, result.shape))
    answer(f"{sizes}\n".encode() + result.astype("<f4").tobytes())


_TASKS = {"look": _look, "arrays": _read_arrays, "run": _run}


if __name__ == "__main__":
  main()

"""The process that runs a stranger's model: python -m disentangle_tf.foreign.child.

It reads a line of JSON that says what to load and what may be used up, confines itself,
answers with a line that says how, loads, and answers the line "ready". Then requests: a
line "FUNCTION SIZE SIZE ..." and float32 numbers; each is answered by a line of two
sizes and float32 numbers. It never sends anything that would have to be unpickled.
"""

import json
import os
import sys
import tempfile

from disentangle_tf.foreign import sandbox


def main():
  """Confines itself before it imports anything that starts threads."""
  answers = os.fdopen(os.dup(1), "wb")
  os.dup2(2, 1)  # what a model prints is not an answer
  requests = sys.stdin.buffer
  settings = json.loads(requests.readline())
  done = sandbox.confine(settings["path"], **settings["limits"])
  tempfile.tempdir = os.devnull  # TensorFlow asks for one, and there is none
  sys.modules["matplotlib"] = None  # Keras does without; it insists on writing a cache
  _answer(answers, json.dumps(done).encode() + b"\n")
  try:
    _serve(settings, requests, answers)
  except Exception as error:  # the last line of the error stream is for the user
    words = " ".join(str(error).split())
    print(f"{type(error).__name__}: {words}", file=sys.stderr, flush=True)
    os._exit(4)
  os._exit(0)  # without the clean-up that a model could hang in


def _serve(settings, requests, answers):
  import numpy as np

  from disentangle_tf.foreign import running
  from disentangle_tf.foreign.interface import Call
  from disentangle_tf.foreign.offer import Tensor

  calls = {
    name: Call(
      call["signature"],
      Tensor(**call["input"]),
      *(tuple(call[part]) for part in ("copies", "switches", "outputs")),
    )
    for name, call in settings["calls"].items()
  }
  model = running.load_model(settings["kind"], settings["path"], settings["tags"])
  _answer(answers, b"ready\n")
  while line := requests.readline():
    name, *sizes = line.decode().split()
    shape = tuple(map(int, sizes))
    content = requests.read(4 * int(np.prod(shape)))
    array = np.frombuffer(content, "<f4").reshape(shape)
    result = running.run(model, calls[name], array)
    sizes = " ".join(map(str, result.shape))
    _answer(answers, f"{sizes}\n".encode() + result.astype("<f4").tobytes())


def _answer(answers, content):
  answers.write(content)
  answers.flush()


if __name__ == "__main__":
  main()

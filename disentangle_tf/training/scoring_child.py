"""The process that computes scores while training goes on: reads requests by path.

  python -m disentangle_tf.training.scoring_child

Each line of the input is the path of a `Request`, as JSON; the answer is written beside
it. The process ends with its input, which closes when the training ends.
"""

from __future__ import annotations

import json
import os
import pathlib
import queue
import signal
import sys
import threading

from disentangle_tf.output_files import write_text
from disentangle_tf.training.score_requests import Request


def answer_of(path: pathlib.Path) -> pathlib.Path:
  """Where the answer to the request at `path` is written."""
  return path.with_suffix(".json")


def main() -> None:
  """Answer requests until the input closes; a metric that fails ends the process."""
  for number in (signal.SIGINT, signal.SIGTERM):  # the training decides when to stop
    signal.signal(number, signal.SIG_IGN)
  paths: queue.SimpleQueue[pathlib.Path] = queue.SimpleQueue()
  threading.Thread(target=_read_into, args=(paths,), daemon=True).start()
  try:
    while True:
      path = paths.get()
      write_text(answer_of(path), json.dumps(Request.read(path).answer()))
  except Exception:
    os._exit(1)  # the training computes the same scores, and sees the same error


def _read_into(paths: queue.SimpleQueue) -> None:
  for line in sys.stdin:
    paths.put(pathlib.Path(json.loads(line)))
  os._exit(0)


if __name__ == "__main__":
  main()

"""Scores that a child process computes while training goes on: `PendingScores`."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import pathlib
import subprocess
import sys
import time
import typing
from collections.abc import Iterator

from disentangle_tf.training.score_requests import Request
from disentangle_tf.training.scoring_child import answer_of

_log = logging.getLogger(__name__)
FOLDER = "pending_scores"
_SECONDS = 0.02  # between two looks for an answer


def has_pending_scores(output_dir: pathlib.Path) -> bool:
  """Whether a run was interrupted before all its scores were computed."""
  return any((output_dir / FOLDER).glob("*.npz"))


class PendingScores:
  """A queue of requests that one child process answers, in the order of the steps.

  A request is a file in the run's folder until its scores are recorded. So no score is
  lost when the run ends early: a resumed run computes it from the same arrays. If the
  child dies, this process computes its scores.

  Args:
    output_dir: the run's folder.
    first_step: the step to resume from; requests of later steps are removed.
    last_scored: the last step whose scores are recorded.
    in_child: whether a child computes; otherwise this process, at once.
  """

  def __init__(
    self, output_dir: pathlib.Path, *, first_step: int, last_scored: int, in_child: bool
  ) -> None:
    self._folder = output_dir / FOLDER
    self._in_child = in_child
    self._process: subprocess.Popen[bytes] | None = None
    self._steps: list[int] = []
    left = sorted(int(path.stem) for path in self._folder.glob("*.npz"))
    for step in left:
      if last_scored < step <= first_step:
        self._send(step)
      else:
        self._remove(step)

  def add(self, step: int, request: Request) -> None:
    """Let the child compute the scores of a step."""
    self._folder.mkdir(exist_ok=True)
    request.write(self._path(step))
    self._send(step)

  def finished(self, *, most_left: int | None) -> Iterator[dict[str, typing.Any]]:
    """Yield lines of scores.jsonl in order, each removed once the next is asked for.

    Args:
      most_left: how many may stay unfinished; the call waits for the others. None waits
        for none.
    """
    while self._steps:
      step, left = self._steps[0], len(self._steps)
      if (most_left is None or left <= most_left) and not self._is_ready(step):
        return
      yield self._answer(step)
      self._steps.pop(0)
      self._remove(step)

  def close(self) -> None:
    """End the child; what is pending stays in the folder."""
    if self._process is not None:
      self._process.kill()
      self._process.communicate()
    with contextlib.suppress(OSError):  # there is none, or it is not empty
      self._folder.rmdir()

  def _path(self, step: int) -> pathlib.Path:
    return self._folder / f"{step}.npz"

  def _send(self, step: int) -> None:
    self._steps.append(step)
    if not self._in_child:
      return
    if self._process is None:
      self._process = subprocess.Popen(
        [sys.executable, "-P", "-m", "disentangle_tf.training.scoring_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TQDM_DISABLE": "1"},  # the training has a progress bar
        start_new_session=True,  # Ctrl-C is for the training
      )
    assert self._process.stdin is not None
    with contextlib.suppress(BrokenPipeError):  # noticed when its answer is missing
      path = json.dumps(str(self._path(step).absolute()))
      self._process.stdin.write(path.encode() + b"\n")
      self._process.stdin.flush()

  def _is_ready(self, step: int) -> bool:
    return answer_of(self._path(step)).exists() or not self._child_works()

  def _child_works(self) -> bool:
    """Whether the child runs; if it has died, say so once and go on without it."""
    if self._process is None or not self._in_child:
      return False
    code = self._process.poll()
    if code is not None:
      self._in_child = False
      _log.warning(
        "the process that computes scores has ended (exit code %d): the training "
        "computes them from now on; training.Scoring.in_background = False does so "
        "from the start",
        code,
      )
    return code is None

  def _answer(self, step: int) -> dict[str, typing.Any]:
    answer = answer_of(self._path(step))
    while not answer.exists() and self._child_works():
      time.sleep(_SECONDS)
    if answer.exists():
      return json.loads(answer.read_text(encoding="utf-8"))
    return Request.read(self._path(step)).answer()

  def _remove(self, step: int) -> None:
    for path in (answer_of(self._path(step)), self._path(step)):
      path.unlink(missing_ok=True)

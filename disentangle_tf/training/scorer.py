"""Score the model during training."""

from __future__ import annotations

import contextlib
import json
import pathlib
import typing
from collections.abc import Iterable

from disentangle_tf.data import data_to_config
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.output_files import whole_file
from disentangle_tf.scoring.codes_table import CodesTable
from disentangle_tf.tensor_float_32 import tensor_float_32
from disentangle_tf.training import devices
from disentangle_tf.training.pending_scores import PendingScores
from disentangle_tf.training.score_requests import Part, Request

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.models import RepresentationModel
  from disentangle_tf.scoring import Measurement
  from disentangle_tf.scoring.endless_codes import EndlessCodes
  from disentangle_tf.training.monitor import Monitor
  from disentangle_tf.training.settings import Scoring


SCORES = "scores.jsonl"
# The defaults of `evaluate`, so that both give comparable scores.
_SEED, _FACTOR_BINS = 0, 20


class Scorer:
  """Take the scores that are due and write them to scores.jsonl and TensorBoard.

  Codes are encoded when the scores are due. With `Scoring.in_background`, a child
  process computes the scores from them, see `PendingScores`. As a context manager it
  waits for these scores at the end; after an error they stay pending in the folder.

  Args:
    model: the `RepresentationModel` in training.
    data: its `GroundTruthData`.
    scoring: a `Scoring`.
    output_dir: the run's folder.
    monitor: a `Monitor`, or an object with its `scores`.
    first_step: the step to resume from; scores of later steps are taken again.
  """

  def __init__(
    self,
    model: RepresentationModel,
    data: GroundTruthData,
    scoring: Scoring,
    output_dir: pathlib.Path,
    monitor: Monitor,
    *,
    first_step: int,
  ) -> None:
    self._model = LiveModel(model)
    self._prior = model.prior
    self._data = data
    self._scoring = scoring
    self._path = output_dir / SCORES
    self._monitor = monitor
    self._in_background = (
      devices.on_gpu() if scoring.in_background is None else scoring.in_background
    )
    self.periods = scoring.periods
    self._pending = PendingScores(
      output_dir,
      first_step=first_step,
      last_scored=self._forget_after(first_step) if self._path.exists() else 0,
      in_child=self._in_background,
    )

  def score(self, step: int) -> None:
    """Take the measurements that are due after `step`; record those that are ready."""
    due = self._scoring.due(step)
    # One place is left for the scores that are due: the queue is bounded.
    self._record(self._pending.finished(most_left=1 if due else None))
    if not due:
      return
    request = self._request(step, due)
    if self._in_background:
      self._pending.add(step, request)
    else:
      self._record([request.answer()])

  @tensor_float_32(False)
  def _request(self, step: int, due: Iterable[Measurement]) -> Request:
    model = self._model
    table = CodesTable.of_model(
      model.encode,
      self._data,
      reconstruct=model.reconstruct if model.can_reconstruct else None,
      decode=model.decode_unclipped if model.can_decode else None,
      factor_bins=_FACTOR_BINS,
    )
    parts = {}
    for measurement in due:
      if not measurement.missing_in(table, prior=self._prior):
        part = Part(
          name=measurement.name,
          settings=measurement.settings(),
          metric=measurement.metric,
          inputs=measurement.inputs(table, seed=_SEED, prior=self._prior),
          options=measurement.options,
          prefix=measurement.prefix,
        )
        # What no file can hold may be large, so it is used at once.
        parts[part.name] = part if part.can_be_written else part.computed()
    return Request({"step": step, **self._conditions(table)}, parts)

  def _record(self, lines: Iterable[dict[str, typing.Any]]) -> None:
    for line in lines:
      with self._path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
      self._monitor.scores(line["step"], line["scores"])

  def _conditions(self, table: CodesTable | EndlessCodes) -> dict[str, typing.Any]:
    """Conditions of the scores besides their settings, as scores.json records them."""
    return {
      "seed": _SEED,
      "repeats": 1,
      "factor_bins": _FACTOR_BINS,
      "factors": list(table.space.names),
      "data": data_to_config(self._data),
    }

  def _forget_after(self, first_step: int) -> int:
    """Drop scores taken after the checkpoint, and an incomplete line.

    Returns:
      The last step whose scores are left.
    """
    with self._path.open(encoding="utf-8") as file:
      whole = [(json.loads(line)["step"], line) for line in file if line[-1] == "\n"]
    kept = [(step, line) for step, line in whole if step <= first_step]
    with whole_file(self._path) as temporary, temporary.open("w") as file:
      file.writelines(line for _, line in kept)
    return max((step for step, _ in kept), default=0)

  def __enter__(self) -> Scorer:
    return self

  def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
    try:
      if kind is None:
        self._record(self._pending.finished(most_left=0))
    finally:
      self._pending.close()


class NothingScored(contextlib.nullcontext):
  """A `Scorer` that does nothing, for workers other than the chief."""

  periods = ()

  def score(self, step: int) -> None:
    pass

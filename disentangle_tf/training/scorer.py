"""Score the model during training."""

from __future__ import annotations

import json
import math
import pathlib
import typing

from disentangle_tf.data import data_to_config
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.output_files import whole_file
from disentangle_tf.scoring.codes_table import CodesTable
from disentangle_tf.tensor_float_32 import tensor_float_32

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.models import RepresentationModel
  from disentangle_tf.scoring.endless_codes import EndlessCodes
  from disentangle_tf.training.monitor import Monitor
  from disentangle_tf.training.settings import Scoring


SCORES = "scores.jsonl"
# The defaults of `evaluate`, so that both give comparable scores.
_SEED, _FACTOR_BINS = 0, 20


class Scorer:
  """Take the scores that are due and write them to scores.jsonl and TensorBoard.

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
    self.periods = scoring.periods
    if self._path.exists():
      self._forget_after(first_step)

  @tensor_float_32(False)
  def score(self, step: int) -> None:
    """Take the measurements that are due after `step`."""
    due = self._scoring.due(step)
    if not due:
      return
    model = self._model
    table = CodesTable.of_model(
      model.encode,
      self._data,
      reconstruct=model.reconstruct if model.can_reconstruct else None,
      decode=model.decode_unclipped if model.can_decode else None,
      factor_bins=_FACTOR_BINS,
    )
    scores, measured = {}, {}
    for measurement in due:
      if measurement.missing_in(table, prior=self._prior):
        continue
      found = measurement.scores(table, seed=_SEED, prior=self._prior)
      found = {name: value for name, value in found.items() if math.isfinite(value)}
      scores |= found
      measured[measurement.name] = {
        "scores": list(found),
        "settings": measurement.settings(),
      }
    line = {"step": step, "scores": scores, "measured": measured}
    with self._path.open("a", encoding="utf-8") as file:
      file.write(json.dumps(line | self._conditions(table)) + "\n")
    self._monitor.scores(step, scores)

  def _conditions(self, table: CodesTable | EndlessCodes) -> dict[str, typing.Any]:
    """Conditions of the scores besides their settings, as scores.json records them."""
    return {
      "seed": _SEED,
      "repeats": 1,
      "factor_bins": _FACTOR_BINS,
      "factors": list(table.space.names),
      "data": data_to_config(self._data),
    }

  def _forget_after(self, first_step: int) -> None:
    """Drop scores taken after the checkpoint, and an incomplete line."""
    with self._path.open(encoding="utf-8") as file:
      whole = [line for line in file if line.endswith("\n")]
    with whole_file(self._path) as temporary, temporary.open("w") as file:
      file.writelines(line for line in whole if json.loads(line)["step"] <= first_step)


class NothingScored:
  """A `Scorer` that does nothing, for workers other than the chief."""

  periods = ()

  def score(self, step: int) -> None:
    pass

"""Settings of which scores are taken during training, and how often."""

from __future__ import annotations

import collections.abc
import dataclasses
import typing
from collections.abc import Sequence

from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.evaluation.measurement import check_measurements

if typing.TYPE_CHECKING:
  from disentangle_tf.evaluation.measurement import Measurement


@dataclasses.dataclass(frozen=True)
class Scoring:
  """Scores of a model while `train` runs; none by default.

  They are written to TensorBoard and to scores.jsonl in the run's folder. Each time
  adds one line {"step": ..., "scores": {name: value}, "measured": {measurement:
  {"scores": [name], "settings": {...}}}, ...}, with the conditions that scores.json
  records. Scores do not change the training.

  Args:
    measurements: the `evaluation.Measurement`s to take, such as
      `evaluation.protocols.MICHLO_DURING_TRAINING`.
    every: steps between two scores; or {name of a measurement: steps}.

  Raises:
    UserError: if `every` does not name each measurement once.

  Example:
    >>> from disentangle_tf import metrics, training
    >>> from disentangle_tf.evaluation import Measurement
    >>> mig, sap = Measurement(metrics.mig), Measurement(metrics.sap)
    >>> scoring = training.Scoring((mig, sap), every={"mig": 200, "sap": 300})
    >>> [measurement.name for measurement in scoring.due(400)]
    ['mig']
  """

  measurements: tuple = ()
  every: int | collections.abc.Mapping = 1000

  def __post_init__(self) -> None:
    if self.measurements:
      check_measurements(self.measurements, whose="Scoring")
    if isinstance(self.every, collections.abc.Mapping):
      self._check_names(self.every)
      check_count("Scoring", **{f"every[{n!r}]": n_ for n, n_ in self.every.items()})
    else:
      check_count("Scoring", every=self.every)

  def with_measurements(self, measurements: Sequence[Measurement]) -> Scoring:
    """The same scoring with `measurements` in place of its own, in the same order.

    Their names may differ: a predictor, for example, is part of the name.
    """
    every = self.every
    if isinstance(every, collections.abc.Mapping):
      pairs = zip(self.measurements, measurements, strict=True)
      every = {new.name: every[old.name] for old, new in pairs}
    return dataclasses.replace(self, measurements=tuple(measurements), every=every)

  def due(self, step: int) -> list[Measurement]:
    """The measurements to take after `step`."""
    return [m for m in self.measurements if step % self._period(m) == 0]

  @property
  def periods(self) -> list[int]:
    """Steps between two scores, for each measurement."""
    return [self._period(measurement) for measurement in self.measurements]

  def _period(self, measurement: Measurement) -> int:
    every = self.every
    if isinstance(every, collections.abc.Mapping):
      return every[measurement.name]
    return every

  def _check_names(self, every: collections.abc.Mapping) -> None:
    names = [measurement.name for measurement in self.measurements]
    for name in every:
      if name not in names:
        raise UserError(
          f"Scoring.every names {name!r}, which is not measured{suggest(name, names)}"
        )
    for name in names:
      if name not in every:
        raise UserError(f"Scoring.every has no number of steps for {name!r}")

"""Which scores are taken on the way of a training, and how often."""

import collections.abc
import dataclasses

from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.evaluation.measurement import check_measurements


@dataclasses.dataclass(frozen=True)
class Scoring:
  """Scores of a model while `train` runs; none by default.

  They go to TensorBoard and to scores.jsonl of the run's folder, a line
  {"step": ..., "scores": {name: value}, "measured": {measurement: {"scores": [name],
  "settings": {...}}}, ...} each time, with what else scores.json records of its
  settings. The training is the same with them.

  Args:
    measurements: the `evaluation.Measurement`s to take, such as
      `evaluation.protocols.MICHLO_DURING_TRAINING`.
    every: steps from one time to the next; or {name of a measurement: steps}.

  Example:
    train(..., scoring=Scoring(protocols.FAST, every={"mig": 2400, "dci": 7200}))
  """

  measurements: tuple = ()
  every: int | collections.abc.Mapping = 1000

  def __post_init__(self):
    if self.measurements:
      check_measurements(self.measurements, whose="Scoring")
    if isinstance(self.every, collections.abc.Mapping):
      self._check_names()
      check_count("Scoring", **{f"every[{n!r}]": n_ for n, n_ in self.every.items()})
    else:
      check_count("Scoring", every=self.every)

  def with_measurements(self, measurements):
    """The same scoring of `measurements`, which stand for its own one by one.

    Their names may differ, as that of a metric with another predictor does.
    """
    every = self.every
    if isinstance(every, collections.abc.Mapping):
      pairs = zip(self.measurements, measurements, strict=True)
      every = {new.name: every[old.name] for old, new in pairs}
    return dataclasses.replace(self, measurements=tuple(measurements), every=every)

  def due(self, step):
    """The measurements to take after so many steps."""
    return [m for m in self.measurements if step % self._period(m) == 0]

  @property
  def periods(self):
    """Steps between two times, of each measurement."""
    return [self._period(measurement) for measurement in self.measurements]

  def _period(self, measurement):
    by_name = isinstance(self.every, collections.abc.Mapping)
    return self.every[measurement.name] if by_name else self.every

  def _check_names(self):
    names = [measurement.name for measurement in self.measurements]
    for name in self.every:
      if name not in names:
        raise UserError(
          f"Scoring.every names {name!r}, which is not measured{suggest(name, names)}"
        )
    for name in names:
      if name not in self.every:
        raise UserError(f"Scoring.every says no number of steps for {name!r}")

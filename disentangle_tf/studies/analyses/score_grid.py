"""One score as an array [data sets, settings, seeds]."""

import dataclasses

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.seed_median import seed_median
from disentangle_tf.studies.paper_names import in_paper_order


@dataclasses.dataclass(frozen=True)
class ScoreGrid:
  """Scores by data set, setting and seed: where a model is missing, NaN.

  Attributes:
    data: names of the data sets, in the papers' order.
    settings: ((method, setting), ...), methods in the papers' order, settings by their
      strength.
    strengths: [settings].
    seeds: [seeds].
    scores: names.
    values: [scores, data sets, settings, seeds].
  """

  data: tuple
  settings: tuple
  strengths: np.ndarray
  seeds: np.ndarray
  scores: tuple
  values: np.ndarray

  @classmethod
  def of(cls, wide):
    """Of `ModelScores`; two models at one place are an error."""
    data = tuple(in_paper_order(set(wide.data.tolist())))
    methods = in_paper_order(set(wide.method.tolist()))
    numbers = [methods.index(method) for method in wide.method.tolist()]
    models = list(
      zip(numbers, wide.strength.tolist(), wide.setting.tolist(), strict=True)
    )
    settings = sorted(set(models))
    places = {setting: place for place, setting in enumerate(settings)}
    seeds, seed = np.unique(wide.seed, return_inverse=True)
    shape = (len(wide.scores), len(data), len(settings), len(seeds))
    values = np.full(shape, np.nan)
    row = np.array([data.index(name) for name in wide.data.tolist()], int)
    column = np.array([places[model] for model in models], int)
    cells = np.stack([row, column, seed])
    if np.unique(cells, axis=1).shape[1] < len(wide):
      raise UserError(
        "two runs share data set, method, setting and seed: their rows cannot be told "
        "apart"
      )
    values[:, row, column, seed] = np.ma.filled(wide.values, np.nan).T
    return cls(
      data=data,
      settings=tuple((methods[number], setting) for number, _, setting in settings),
      strengths=np.array([strength for _, strength, _ in settings], int),
      seeds=seeds,
      scores=wide.scores,
      values=values,
    )

  @property
  def medians(self):
    """[scores, data sets, settings], NaN where no seed is there."""
    return seed_median(self.values)

  @property
  def counts(self):
    """[scores, data sets, settings], how many seeds are there."""
    return np.isfinite(self.values).sum(axis=-1)

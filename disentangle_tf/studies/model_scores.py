"""Scores in the wide form: one row per model, one column per score."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class ModelScores:
  """What `ResultsTable.pivot` gives, in the canonical order of the models.

  Attributes:
    run, method, data, setting: [models] text.
    strength, seed: [models] whole numbers.
    scores: names of the columns.
    values: masked array [models, scores]; a score that a model lacks is masked.
  """

  run: np.ndarray
  method: np.ndarray
  data: np.ndarray
  setting: np.ndarray
  strength: np.ndarray
  seed: np.ndarray
  scores: tuple
  values: np.ma.MaskedArray

  def __len__(self):
    return len(self.run)

  def where(self, mask):
    """The models at which `mask` [models] is true."""
    arrays = {
      field.name: getattr(self, field.name)[mask]
      for field in dataclasses.fields(self)
      if field.name != "scores"
    }
    return ModelScores(scores=self.scores, **arrays)

  def of_data(self, data):
    """The models of one data set."""
    return self.where(self.data == data)

  def column(self, score):
    """Masked array [models] of one score."""
    return self.values[:, self.scores.index(score)]

  def with_score(self, score):
    """(the models that have this score, its values [models] as a plain array)."""
    column = self.column(score)
    there = ~np.ma.getmaskarray(column)
    return self.where(there), column.data[there]

  def complete(self):
    """The models that have every score."""
    return self.where(~np.ma.getmaskarray(self.values).any(axis=1))

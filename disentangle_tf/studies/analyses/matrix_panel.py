"""One matrix of an analysis: names of its rows and columns, and how many models."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class MatrixPanel:
  """A matrix whose cells may be empty.

  Attributes:
    rows, columns: their names.
    values: masked array [rows, columns]; a cell that cannot be computed, such as the
      correlation with a constant, is masked.
    counts: [rows, columns], how many models (or settings) each cell is of.
    low, high: masked arrays [rows, columns], 95 % bootstrap interval over seeds; None
      if none was asked for.
  """

  rows: tuple
  columns: tuple
  values: np.ma.MaskedArray
  counts: np.ndarray
  low: np.ma.MaskedArray | None = None
  high: np.ma.MaskedArray | None = None

  @property
  def num_empty(self):
    """How many cells could not be computed."""
    return int(np.ma.getmaskarray(self.values).sum())

  @property
  def n(self):
    """(fewest, most) models of a cell that was computed; (0, 0) if none was."""
    counts = self.counts[~np.ma.getmaskarray(self.values)]
    return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)

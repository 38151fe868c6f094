"""What figures are drawn from: curves and panels of matrices."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Curve:
  """Values at places; places without a model are left out.

  Attributes:
    x: [points], ascending unless the analysis says otherwise.
    y: [points].
    counts: [points], number of models of each point.
    low, high: [points], an interval around y; None if there is none. A point that has
      no interval, such as the mean of one model, has low = high = y.
    labels: [points] text of the points, or None.
  """

  x: np.ndarray
  y: np.ndarray
  counts: np.ndarray
  low: np.ndarray | None = None
  high: np.ndarray | None = None
  labels: tuple[str, ...] | None = None

  @property
  def n(self) -> int:
    """Number of models of the curve."""
    return int(self.counts.sum())


@dataclasses.dataclass(frozen=True)
class MatrixPanel:
  """A matrix whose cells may be empty.

  Attributes:
    rows, columns: their names.
    values: masked array [rows, columns]; a cell that cannot be computed, such as the
      correlation with a constant, is masked.
    counts: [rows, columns], number of models (or settings) of each cell.
    low, high: masked arrays [rows, columns], 95 % bootstrap interval over seeds; None
      if none was asked for.
  """

  rows: tuple[str, ...]
  columns: tuple[str, ...]
  values: np.ma.MaskedArray
  counts: np.ndarray
  low: np.ma.MaskedArray | None = None
  high: np.ma.MaskedArray | None = None

  @property
  def num_empty(self) -> int:
    """Number of cells that could not be computed."""
    return int(np.ma.getmaskarray(self.values).sum())

  @property
  def n(self) -> tuple[int, int]:
    """(fewest, most) models of a cell that was computed; (0, 0) if none was."""
    counts = self.counts[~np.ma.getmaskarray(self.values)]
    return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)

"""One curve of an analysis, with an interval if there is one."""

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

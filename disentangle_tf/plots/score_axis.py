"""The limits of an axis of scores."""

import itertools
from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes

_MARGIN = 0.02  # of the range that is shown


def set_score_limits(axis: Axes, scores: Iterable[Sequence[float]]) -> None:
  """Show all of [0, 1] on the y axis, and more where scores lie outside.

  Args:
    axis: a matplotlib Axes.
    scores: lists of scores.
  """
  found = list(itertools.chain.from_iterable(scores))
  low, high = min([0.0, *found]), max([1.0, *found])
  margin = _MARGIN * (high - low)
  axis.set_ylim(low - margin, high + margin)

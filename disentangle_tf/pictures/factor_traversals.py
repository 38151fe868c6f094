"""Images along every factor of a data set."""

import numpy as np


def factor_traversals(data, columns=10):
  """A row a factor, its values from left to right: [factors, columns, H, W, C].

  Traversals go through the middle of the grid; of long ones values are left out evenly,
  and short ones end in white.
  """
  middle = [size // 2 for size in data.factors.sizes]
  rows = np.ones((len(data.factors), columns, *data.observation_shape), np.float32)
  for factor, row in enumerate(rows):
    points = data.factors.traversal(middle, factor)
    shown = np.linspace(0, len(points) - 1, min(columns, len(points))).round()
    row[: len(shown)] = data.observe(points[shown.astype(int)])
  return rows

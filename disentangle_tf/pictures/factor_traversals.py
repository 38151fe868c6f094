"""Factor traversals: images of a data set along each of its factors."""

import numpy as np

from disentangle_tf.plots import to_rgb


def factor_traversals(data, traversals=None, *, columns=10, fill=False):
  """One row per factor, its values from left to right: [factors, columns, H, W, 3].

  Args:
    data: a `GroundTruthData` of images.
    traversals: for each factor the points [values, factors] to show, such as
      `draw_traversals` gives; by default those through the middle of a whole grid.
    columns: images per row. Of longer traversals values are left out evenly; shorter
      ones end in white.
    fill: repeat values of the shorter ones instead, so that each ends in its last.

  Returns:
    float32 in [0, 1], of three channels, whatever the data set has.
  """
  rows = [
    _row(data, points, columns, fill)
    for points in (
      _through_the_middle(data.factors) if traversals is None else traversals
    )
  ]
  return np.stack(rows)


def _through_the_middle(space):
  middle = [size // 2 for size in space.sizes]
  return [space.traversal(middle, factor) for factor in range(len(space))]


def _row(data, points, columns, fill):
  count = columns if fill else min(columns, len(points))
  shown = np.linspace(0, len(points) - 1, count).round().astype(int)
  images = to_rgb(data.observe(points[shown]).numpy())
  missing = np.ones((columns - count, *images.shape[1:]), np.float32)
  return np.concatenate([images, missing])

"""Pairs of scores as points, one group per method."""

import numpy as np

from disentangle_tf.studies.paper_names import in_paper_order


def points_by_method(wide, first, second):
  """Points of the models that have both values.

  Args:
    wide: `ModelScores`.
    first, second: masked arrays [models], the x and the y axis.

  Returns:
    {method: [models, 2]}, in the canonical order of models.
  """
  pair = np.ma.stack([first, second], axis=1)
  there = ~np.ma.getmaskarray(pair).any(axis=1)
  return {
    method: pair.data[there & (wide.method == method)]
    for method in in_paper_order(set(wide.method.tolist()))
  }

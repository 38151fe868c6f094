"""Binning continuous factors of a user's arrays into a grid."""

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.data.partial_factor_space import covered_space
from disentangle_tf.metrics.parts.points import factor_classes


def bin_factors(columns, names, num_bins):
  """The grid that factors form, and where on it each point lies.

  Values are numbered in their order. A continuous factor, one of more than `num_bins`
  values that are not all whole, is cut into `num_bins` bins of equal width over its
  range first, as by the metrics: its values would hardly ever come twice, and a score
  that counts would find that every latent knows them all.

  Args:
    columns: an array [points] for each factor.
    names: a name for each.
    num_bins: bins of a continuous factor.

  Returns:
    (space, numbers [points, factors], remarks): the `FactorSpace`, partial if not all
    combinations occur, and a line for each factor that is not taken as it is.
  """
  check_count("evaluate", factor_bins=num_bins)
  numbered = [_numbered(np.asarray(column), num_bins) for column in columns]
  numbers = np.stack([classes for classes, _ in numbered], axis=1)
  sizes = (numbers.max(axis=0) + 1).tolist()
  remarks = [
    f"{name} is continuous ({count} values), scored in {num_bins} bins"
    for name, (classes, count) in zip(names, numbered, strict=True)
    if count > num_bins and classes.max() + 1 < count
  ]
  return covered_space(names, sizes, numbers), numbers, remarks


def _numbered(column, num_bins):
  """(class numbers from 0 up, how many values there are)."""
  values, numbers = np.unique(column, return_inverse=True)
  if column.dtype.kind == "f":
    return factor_classes(column[:, None], num_bins=num_bins)[:, 0], len(values)
  return numbers.ravel(), len(values)

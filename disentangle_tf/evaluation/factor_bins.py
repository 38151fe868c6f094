"""Binning of continuous factors into a grid."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Sequence

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.data.partial_factor_space import covered_space
from disentangle_tf.metrics.parts.points import factor_classes

if typing.TYPE_CHECKING:
  from disentangle_tf.data import FactorSpace


def bin_factors(
  columns: Iterable[np.ndarray], names: Sequence[str], num_bins: int
) -> tuple[FactorSpace, np.ndarray, list[str]]:
  """The grid that factors form, and the position of each point on it.

  Values are numbered in ascending order. A factor is continuous if it has more than
  `num_bins` values that are not all whole. It is first cut into `num_bins` bins of
  equal width over its range, as the metrics do: its values hardly ever recur, so
  without bins a score that counts would find that every latent determines them.

  Args:
    columns: an array [points] for each factor.
    names: a name for each factor.
    num_bins: bins of a continuous factor.

  Returns:
    (space, numbers [points, factors], remarks): the `FactorSpace`, partial if not all
    combinations occur, and one line for each factor that was binned.
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


def _numbered(column: np.ndarray, num_bins: int) -> tuple[np.ndarray, int]:
  """(class numbers from 0 up, number of distinct values)."""
  values, numbers = np.unique(column, return_inverse=True)
  if column.dtype.kind == "f":
    return factor_classes(column[:, None], num_bins=num_bins)[:, 0], len(values)
  return numbers.ravel(), len(values)

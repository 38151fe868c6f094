"""Codes from a file of arrays, without a model."""

from __future__ import annotations

import typing
from collections.abc import Sequence

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.data.factor_space import covered_space
from disentangle_tf.data.sampling.samplers import factor_position
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.scoring.codes_table import CodesTable
from disentangle_tf.scoring.encoding import check_scorable
from disentangle_tf.scoring.observations import bin_factors

if typing.TYPE_CHECKING:
  from disentangle_tf.data import FactorSpace
  from disentangle_tf.foreign.scan.scan import Arrays


_MOST_FACTORS = 256


def table_from_arrays(
  arrays: Arrays,
  space: FactorSpace | None = None,
  *,
  factors: Sequence[str] | None = None,
  factor_bins: int = 20,
  limits: Limits | None = None,
) -> CodesTable:
  """The `CodesTable` of an npz or npy file.

  An npz has `codes` [points, latents]; `factors` [points, factors], unless the codes
  are those of a whole data set in index order; and optionally `log_variances` [points,
  latents] and `names` [factors]. An npy has codes of a whole data set. Points with
  equal factors are different images of one combination.

  Args:
    arrays: the `Arrays` of the file.
    space: the data set's `FactorSpace`, if one was named.
    factors: names of the factors to score; by default all.
    factor_bins: as for `bin_factors`; unused if a data set was named.
    limits: the `Limits` of the number of latents.

  Raises:
    ModelError: if the arrays do not fit each other.
    UserError: if they do not fit the data set.
  """
  limits = limits or Limits()
  codes = _check_numbers(arrays, "codes", limits)
  log_variances = None
  if "log_variances" in arrays.shapes:
    log_variances = _check_numbers(arrays, "log_variances", limits)
    if log_variances.shape != codes.shape:
      raise ModelError(f"{arrays.path}: log_variances and codes differ in shape")
  found, points, remarks = _factors(arrays, space, factor_bins)
  if factors is not None:
    found, points = _some_factors(found, points, factors)
  return CodesTable(
    codes, found, points=points, log_variances=log_variances, remarks=remarks
  )


def _factors(
  arrays: Arrays, space: FactorSpace | None, factor_bins: int
) -> tuple[FactorSpace, np.ndarray, list[str]]:
  """(space, factors of each code, remarks)."""
  count = len(arrays.numbers["codes"])
  if "factors" not in arrays.shapes:
    return *_in_index_order(arrays.path, count, space), []
  factors = _check_factors(arrays, count)
  if space is None:
    names = _names(arrays, factors.shape[1])
    return _binned(arrays.path, factors, names, factor_bins)
  points = _points_of_set(arrays.path, factors, space)
  return covered_space(space.names, space.sizes, points), points, []


def _binned(
  path: str, factors: np.ndarray, names: Sequence[str], factor_bins: int
) -> tuple[FactorSpace, np.ndarray, list[str]]:
  check_count("evaluate", factor_bins=factor_bins)
  try:
    return bin_factors(factors.T, names, factor_bins)
  except UserError as error:  # such as too many combinations
    raise ModelError(f"{path}: {error}") from error


def _in_index_order(
  path: str, count: int, space: FactorSpace | None
) -> tuple[FactorSpace, np.ndarray]:
  if space is None:
    raise UserError(
      f"{path} has codes without factors: set data to the data set that they follow"
    )
  if count != space.num_points:
    raise UserError(
      f"{path} has {count} codes, the data set {space.num_points} images: without "
      "factors there must be one for each, in index order"
    )
  return space, space.to_factors(np.arange(count))


def _some_factors(
  space: FactorSpace, points: np.ndarray, names: Sequence[str]
) -> tuple[FactorSpace, np.ndarray]:
  """The space and the points reduced to the factors `names`."""
  positions = [factor_position(space, name) for name in names]
  sizes = [space.sizes[position] for position in positions]
  points = points[:, positions]
  return covered_space(names, sizes, points), points


def _check_factors(arrays: Arrays, count: int) -> np.ndarray:
  shape = arrays.shapes["factors"]
  if len(shape) != 2 or shape[0] != count or not shape[1]:
    raise ModelError(
      f"{arrays.path}: factors have shape {shape}, for {count} codes it must be "
      f"[{count}, factors]"
    )
  if shape[1] > _MOST_FACTORS:
    raise ModelError(
      f"{arrays.path} has {shape[1]:,} factors: at most {_MOST_FACTORS} are taken"
    )
  factors = arrays.numbers.get("factors")
  if factors is None or not np.isfinite(factors).all():
    raise ModelError(f"{arrays.path}: factors must be finite numbers")
  return factors


def _names(arrays: Arrays, count: int) -> list[str]:
  if "names" not in arrays.shapes:
    return [f"factor_{i}" for i in range(count)]
  dtype, shape = arrays.dtypes["names"], arrays.shapes["names"]
  if arrays.names is None or shape != (count,):
    raise ModelError(
      f"{arrays.path}: names are {dtype} of shape {shape}, for {count} factors it must "
      f"be text of shape ({count},)"
    )
  return arrays.names


def _points_of_set(path: str, factors: np.ndarray, space: FactorSpace) -> np.ndarray:
  """The factors as points of the named data set."""
  with np.errstate(invalid="ignore"):  # NaN, or too large for a whole number
    fits = factors.shape[1] == len(space) and (factors == factors.astype(int)).all()
  if not fits or (factors < 0).any() or (factors >= np.array(space.sizes)).any():
    raise UserError(
      f"{path}: the factors are not those of the data set, with sizes {space.sizes}"
    )
  return factors.astype(np.int64)


def _check_numbers(arrays: Arrays, name: str, limits: Limits) -> np.ndarray:
  shape, array = arrays.shapes[name], arrays.numbers.get(name)
  if array is None or len(shape) != 2 or not array.size:
    raise ModelError(
      f"{arrays.path}: {name} are {arrays.dtypes[name]} of shape {shape}, they must be "
      "numbers of shape [points, latents]"
    )
  limits.check_latents(shape[1])
  try:
    return check_scorable(name, array)
  except ModelError as error:
    raise ModelError(f"{arrays.path}: {error}") from error

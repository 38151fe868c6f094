"""Codes that come as arrays, without a model."""

import pathlib
import zipfile

import numpy as np

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.partial_factor_space import PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.foreign.model_error import ModelError, printable
from disentangle_tf.foreign.model_files import MOST_BYTES

_NAMES = ("codes", "factors", "log_variances")


def table_from_arrays(path, space=None):
  """The `CodesTable` of an npz or npy file.

  Args:
    path: an npz with `codes` [points, latents], and `factors` [points, factors] unless
      the codes are those of a whole data set in index order; `log_variances` [points,
      latents] if they are known. Or an npy with such codes alone.
    space: the data set's `FactorSpace`, if one was named.

  Returns:
    (table, remarks). Points whose factors are all the same are taken once.
  """
  arrays = _read(path)
  codes = _check_numbers(path, "codes", arrays["codes"])
  log_variances = arrays.get("log_variances")
  if log_variances is not None:
    log_variances = _check_numbers(path, "log_variances", log_variances)
    if log_variances.shape != codes.shape:
      raise ModelError(f"{path}: log_variances and codes differ in shape")
  if arrays.get("factors") is None:
    return _in_index_order(path, codes, log_variances, space), []
  return _by_factors(path, codes, log_variances, arrays["factors"], space)


def _in_index_order(path, codes, log_variances, space):
  if space is None:
    raise UserError(
      f"{path} has codes without factors: name the data set they follow with --data"
    )
  if len(codes) != space.num_points:
    raise UserError(
      f"{path} has {len(codes)} codes, the data set {space.num_points} images: without "
      "factors there must be one for each, in index order"
    )
  return CodesTable(codes, space, log_variances=log_variances)


def _by_factors(path, codes, log_variances, factors, space):
  if factors.ndim != 2 or len(factors) != len(codes) or not factors.shape[1]:
    raise ModelError(
      f"{path}: factors have shape {factors.shape}, for {len(codes)} codes it must be "
      f"[{len(codes)}, factors]"
    )
  names, sizes, numbers = _numbered(path, factors, space)
  grid = FactorSpace(names, sizes)
  index, rows = np.unique(grid.to_index(numbers), return_index=True)
  whole = len(index) == grid.num_points
  points = grid if whole else PartialFactorSpace(names, sizes, numbers[rows])
  repeated = len(codes) - len(rows)
  remarks = [f"{repeated} points with repeated factors left out"] if repeated else []
  chosen = None if log_variances is None else log_variances[rows]
  return CodesTable(codes[rows], points, log_variances=chosen), remarks


def _numbered(path, factors, space):
  """(names, sizes, factors as numbers from 0); the set's own if one was named."""
  if factors.dtype.kind not in "iufb" or not np.isfinite(factors).all():
    raise ModelError(f"{path}: factors must be finite numbers")
  if space is not None:
    fits = factors.shape[1] == len(space) and (factors == factors.astype(int)).all()
    if not fits or (factors < 0).any() or (factors >= np.array(space.sizes)).any():
      raise UserError(
        f"{path}: the factors are not those of the data set, with sizes {space.sizes}"
      )
    return space.names, space.sizes, factors.astype(np.int64)
  columns = [np.unique(column, return_inverse=True) for column in factors.T]
  names = [f"factor_{i}" for i in range(len(columns))]
  numbers = np.stack([inverse.ravel() for _, inverse in columns], axis=1)
  return names, [len(values) for values, _ in columns], numbers


def _read(path):
  """{name: array} of the file; nothing in it is unpickled."""
  path = pathlib.Path(path)
  if path.stat().st_size > MOST_BYTES:
    raise ModelError(f"{path} is larger than {MOST_BYTES:,} bytes")
  try:
    if path.suffix.lower() == ".npy":
      return {"codes": np.load(path, allow_pickle=False)}
    with zipfile.ZipFile(path) as archive:
      if sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
        raise ModelError(f"{path} unpacks to more than {MOST_BYTES:,} bytes")
    with np.load(path, allow_pickle=False) as arrays:
      if "codes" not in arrays.files:
        held = ", ".join(map(printable, arrays.files)) or "nothing"
        raise ModelError(f"{path} has no array 'codes', it has {held}")
      return {name: arrays[name] for name in _NAMES if name in arrays.files}
  except ModelError:
    raise
  except Exception as error:  # np.load and zipfile raise many kinds
    raise ModelError(f"{path} cannot be read: {printable(error)}") from error


def _check_numbers(path, name, array):
  if array.ndim != 2 or not array.size or array.dtype.kind not in "iufb":
    raise ModelError(
      f"{path}: {name} are {array.dtype} of shape {array.shape}, they must be numbers "
      "of shape [points, latents]"
    )
  if not np.isfinite(array).all():
    latent = int(np.argwhere(~np.isfinite(array))[0, 1])
    raise ModelError(f"{path}: {name} of latent {latent} are NaN or infinite")
  return array.astype(np.float32)

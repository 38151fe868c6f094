"""Blur kernels as plain JSON, for the manifest."""

from typing import Any

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.export.manifest_check import is_number
from disentangle_tf.losses import box_kernel, gaussian_kernel
from disentangle_tf.strangers_text import printable

_WIDEST = 511  # entries per side: covers a 256x256 image from every pixel
_MOST_ENTRIES = 2**14  # of a kernel stored as an array; 127x127 covers a 64x64 image
_FUNCTIONS = {each.__name__: each for each in (box_kernel, gaussian_kernel)}


def kernel_to_config(kernel: np.ndarray) -> dict:
  """Describe a kernel [rows, columns] for a manifest.

  Returns:
    {"function": name, "arguments": {"radius"}} if a function of `losses` returns this
    exact array; otherwise {"array": rows}; for a kernel larger than
    `kernel_from_config` allows, only {"shape": [rows, columns]}.
  """
  rows, columns = kernel.shape
  if max(rows, columns) <= _WIDEST:
    for name, function in _FUNCTIONS.items():
      if rows == columns and np.array_equal(function(rows // 2), kernel):
        return {"function": name, "arguments": {"radius": rows // 2}}
    if kernel.size <= _MOST_ENTRIES:
      return {"array": kernel.tolist()}
  return {"shape": [rows, columns]}


def kernel_from_config(config: Any) -> np.ndarray:
  """Build the array that `kernel_to_config` described, or raise a `UserError`.

  The configuration may come from a foreign model, so the size is limited.
  """
  if isinstance(config, dict):
    if "function" in config:
      return _from_function(config["function"], config.get("arguments"))
    if "array" in config:
      return _from_rows(config["array"])
    if "shape" in config:
      shape = printable(config["shape"])
      raise UserError(f"the kernel of shape {shape} is too large for a manifest")
  raise UserError("the kernel is not described as in an export")


def _from_function(name: Any, arguments: Any) -> np.ndarray:
  if not isinstance(name, str) or name not in _FUNCTIONS:
    raise UserError(f"{printable(name)} is not a known kernel")
  radius = arguments.get("radius") if isinstance(arguments, dict) else None
  if type(radius) is not int or not 0 <= radius <= _WIDEST // 2 or len(arguments) > 1:
    raise UserError(f"{name} takes a radius from 0 to {_WIDEST // 2} and nothing else")
  return _FUNCTIONS[name](radius)


def _from_rows(rows: Any) -> np.ndarray:
  if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
    raise UserError("the kernel's array is not a list of rows")
  widths = set(map(len, rows))
  if max(widths | {len(rows)}) > _WIDEST or sum(map(len, rows)) > _MOST_ENTRIES:
    raise UserError(
      f"the kernel has more than {_WIDEST} entries per side or {_MOST_ENTRIES:,} in all"
    )
  if len(widths) != 1 or 0 in widths:
    raise UserError("the kernel's rows differ in length")
  if not all(is_number(entry) for row in rows for entry in row):
    raise UserError("the kernel has entries that are not numbers")
  return np.array(rows, np.float64)

"""Blur kernels as plain JSON, for the manifest: by the function that makes them."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.export.manifest_check import is_number
from disentangle_tf.losses import box_kernel, gaussian_kernel
from disentangle_tf.strangers_text import printable

_WIDEST = 511  # entries per side: a kernel that sees all of a 256x256 image
_MOST_ENTRIES = 2**14  # of one told entry by entry; 127x127 sees all of a 64x64 image
_FUNCTIONS = {each.__name__: each for each in (box_kernel, gaussian_kernel)}


def kernel_to_config(kernel):
  """What a manifest says of a kernel [rows, columns], a NumPy array.

  Returns:
    {"function": name, "arguments": {"radius"}} of the function of `losses` that gives
    this very array; otherwise {"array": rows}; of a kernel that is larger than
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


def kernel_from_config(config):
  """The array that `kernel_to_config` described; a `UserError` says why there is none.

  The text may come from a stranger: nothing is made that is wider than 511 entries.
  """
  if isinstance(config, dict):
    if "function" in config:
      return _from_function(config["function"], config.get("arguments"))
    if "array" in config:
      return _from_rows(config["array"])
    if "shape" in config:
      shape = printable(config["shape"])
      raise UserError(f"the kernel of shape {shape} is too large to be told")
  raise UserError("the kernel is not as an export tells it")


def _from_function(name, arguments):
  if not isinstance(name, str) or name not in _FUNCTIONS:
    raise UserError(f"{printable(name)} is no kernel that is known here")
  radius = arguments.get("radius") if isinstance(arguments, dict) else None
  if type(radius) is not int or not 0 <= radius <= _WIDEST // 2 or len(arguments) > 1:
    raise UserError(f"{name} takes a radius from 0 to {_WIDEST // 2} and nothing else")
  return _FUNCTIONS[name](radius)


def _from_rows(rows):
  if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
    raise UserError("the kernel's array is no list of rows")
  widths = set(map(len, rows))
  if max(widths | {len(rows)}) > _WIDEST or sum(map(len, rows)) > _MOST_ENTRIES:
    raise UserError(
      f"the kernel has more than {_WIDEST} entries per side or {_MOST_ENTRIES:,} in all"
    )
  if len(widths) != 1 or 0 in widths:
    raise UserError("the kernel's rows are not of one length")
  if not all(is_number(entry) for row in rows for entry in row):
    raise UserError("the kernel has entries that are no numbers")
  return np.array(rows, np.float64)

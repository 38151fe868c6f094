"""Losses, kernels and priors as JSON, and back through an allow-list."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from disentangle_tf import losses, priors
from disentangle_tf.errors import UserError
from disentangle_tf.export.manifest_check import count_numbers, is_number
from disentangle_tf.losses import box_kernel, gaussian_kernel
from disentangle_tf.text import printable

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


_LOSSES = (
  losses.MAE,
  losses.MSE,
  losses.Bernoulli,
  losses.ContinuousBernoulli,
  losses.Normal,
  losses.Overlap,
  losses.SigmoidMSE,
)
_LIKELIHOODS = (losses.Bernoulli, losses.ContinuousBernoulli, losses.Normal)
_PRIORS = (
  priors.AnisotropicNormal,
  priors.IsotropicNormal,
  priors.NormalMixture,
  priors.SparseMixture,
  priors.StudentT,
)
_DEEPEST = 4  # nested losses
_MOST_NUMBERS = 2**13  # of an argument
_LONGEST = 200  # text


def loss_to_config(loss: losses.ReconstructionLoss) -> dict:
  """Describe a loss as JSON: {"class": name, "arguments": {...}}.

  A wrapped loss is described in the same way, a kernel by `kernel_to_config`; learned
  values become arguments. For a loss with a network, and for classes of other packages,
  the arguments are None.
  """
  return _to_config(loss.as_trained(), _LOSSES, _DEEPEST)


def loss_from_config(config: Any) -> losses.ReconstructionLoss:
  """Build the loss that `loss_to_config` described, or raise a `UserError`."""
  return _from_config(config, _LOSSES, "loss", _DEEPEST)


def likelihood_from_config(config: Any) -> losses.ReconstructionLoss:
  """Build a loss that is the negative logarithm of a likelihood."""
  return _from_config(config, _LIKELIHOODS, "likelihood", 1)


def is_likelihood(name: str) -> bool:
  """Whether the class of this name is the negative logarithm of a likelihood."""
  return name in {each.__name__ for each in _LIKELIHOODS}


def prior_to_config(prior: priors.Prior) -> dict:
  """Describe a prior as JSON, as `loss_to_config` does a loss."""
  return _to_config(prior.as_trained(), _PRIORS, 1)


def prior_from_config(config: Any) -> priors.Prior:
  """Build the prior that `prior_to_config` described, or raise a `UserError`."""
  return _from_config(config, _PRIORS, "prior", 1)


def class_name(part: object) -> str:
  """Name of its class, preceded by the module if that is outside this package."""
  kind = type(part)
  return kind.__name__ if is_ours(part) else f"{kind.__module__}.{kind.__name__}"


def is_ours(part: object) -> bool:
  """Whether its class belongs to this package."""
  return type(part).__module__.startswith("disentangle_tf.")


def _to_config(part: Any, known: Sequence[type], depth: int) -> dict:
  arguments = None
  if type(part) in known and depth > 0:
    arguments = {
      name: _argument(getattr(part, name), plain, depth)
      for name, plain in part.get_config().items()
    }
    plain = [value for value in arguments.values() if not isinstance(value, dict)]
    if count_numbers(plain) > _MOST_NUMBERS:
      arguments = None
  return {"class": class_name(part), "arguments": arguments}


def _argument(value: Any, plain: Any, depth: int) -> Any:
  if isinstance(value, losses.ReconstructionLoss):
    return _to_config(value, _LOSSES, depth - 1)
  if isinstance(value, np.ndarray):
    return kernel_to_config(value)
  return plain.item() if isinstance(plain, np.generic) else plain


def _from_config(config: Any, known: Sequence[type], word: str, depth: int) -> Any:
  if config is None:
    raise UserError(f"the model has no {word}")
  by_name = {each.__name__: each for each in known}
  name = config.get("class") if isinstance(config, dict) else None
  if not isinstance(name, str) or name not in by_name:
    reason = (
      "a loss that a manifest can describe" if word == "loss" else f"a known {word}"
    )
    raise UserError(f"{printable(name)} is not {reason}")
  arguments = config.get("arguments")
  if not isinstance(arguments, dict):
    raise UserError(f"the manifest names the {word} {name} but not its settings")
  if depth < 1:
    raise UserError(f"more than {_DEEPEST} nested losses")
  made = {key: _made(key, value, depth) for key, value in arguments.items()}
  try:
    return by_name[name](**made)
  except (TypeError, AttributeError, KeyError, ValueError, OverflowError) as error:
    words = printable(error)
    raise UserError(f"the model's {word} cannot be made: {words}") from error


def _made(name: str, value: Any, depth: int) -> Any:
  if name == "loss":
    return _from_config(value, _LOSSES, "loss", depth - 1)
  if name == "kernel":
    return kernel_from_config(value)
  numbers = value if isinstance(value, list) else [value]
  if count_numbers(numbers) > _MOST_NUMBERS or not all(map(_is_plain, numbers)):
    raise UserError(f"{printable(name)} is neither a number nor a list of them")
  return value


def _is_plain(value: Any) -> bool:
  if isinstance(value, list):
    return all(map(is_number, value))
  if isinstance(value, str):
    return len(value) <= _LONGEST
  return value is None or isinstance(value, bool) or is_number(value)

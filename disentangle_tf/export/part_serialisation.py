"""Losses and priors as plain JSON, and back through a list of known classes.

A manifest may belong to a foreign model. So only the classes listed here are built,
from plain arguments of bounded size. The classes check the values of their arguments.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from disentangle_tf import losses, priors
from disentangle_tf.errors import UserError
from disentangle_tf.export.kernel_serialisation import (
  kernel_from_config,
  kernel_to_config,
)
from disentangle_tf.export.manifest_check import count_numbers, is_number
from disentangle_tf.strangers_text import printable

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

"""Disentangled representation learning with TensorFlow 2 and Keras 3.

The public names load on first use, so that `import disentangle_tf` takes milliseconds.

Example:
  >>> import disentangle_tf as dtf
  >>> dtf.data.XYSquares(image_size=64, square_size=8, num_squares=3).observation_shape
  (64, 64, 3)
"""

import importlib
import typing

__version__ = "0.1.0"

__all__ = [
  "ModelError",
  "UserError",
  "adversary",
  "data",
  "evaluation",
  "export",
  "foreign",
  "losses",
  "metrics",
  "models",
  "networks",
  "papers",
  "perceived",
  "pictures",
  "plots",
  "priors",
  "schedules",
  "scoring",
  "studies",
  "supervision",
  "training",
]

# {public name: its module}; the other public names are packages.
_MODULES = {"ModelError": "errors", "UserError": "errors"}

if typing.TYPE_CHECKING:
  from disentangle_tf import (
    adversary,
    data,
    evaluation,
    export,
    foreign,
    losses,
    metrics,
    models,
    networks,
    papers,
    perceived,
    pictures,
    plots,
    priors,
    schedules,
    scoring,
    studies,
    supervision,
    training,
  )
  from disentangle_tf.errors import ModelError, UserError


def __getattr__(name: str) -> typing.Any:
  """Load a public name on first use."""
  if name not in __all__:
    raise AttributeError(f"module 'disentangle_tf' has no attribute {name!r}")
  if name in _MODULES:
    return getattr(importlib.import_module(f"disentangle_tf.{_MODULES[name]}"), name)
  return importlib.import_module(f"disentangle_tf.{name}")


def __dir__() -> list[str]:
  return sorted({*globals(), *__all__})

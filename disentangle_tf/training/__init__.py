"""One training loop for every model and every tf.distribute strategy.

The public names load on first use, so that `training.devices` starts without the rest.
"""

import importlib
import typing

__all__ = [
  "Computing",
  "DistanceCallback",
  "RunDescription",
  "Sampling",
  "Saving",
  "Scoring",
  "Watching",
  "train",
]

_MODULES = {
  "Computing": "disentangle_tf.training.settings",
  "DistanceCallback": "disentangle_tf.training.monitor",
  "RunDescription": "disentangle_tf.training.run_description",
  "Sampling": "disentangle_tf.training.settings",
  "Saving": "disentangle_tf.training.settings",
  "Scoring": "disentangle_tf.training.settings",
  "Watching": "disentangle_tf.training.settings",
  "train": "disentangle_tf.training.train_model",
}

if typing.TYPE_CHECKING:
  from disentangle_tf.training.monitor import DistanceCallback
  from disentangle_tf.training.run_description import RunDescription
  from disentangle_tf.training.settings import (
    Computing,
    Sampling,
    Saving,
    Scoring,
    Watching,
  )
  from disentangle_tf.training.train_model import train


def __getattr__(name: str) -> typing.Any:
  """Load a public name on first use."""
  if name not in _MODULES:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
  value = getattr(importlib.import_module(_MODULES[name]), name)
  globals()[name] = value  # also where a module has the name of its function
  return value


def __dir__() -> list[str]:
  return sorted({*globals(), *__all__})

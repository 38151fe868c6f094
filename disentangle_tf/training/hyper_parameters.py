"""Hyper-parameters of a run, read off its model, its parts and its data."""

import keras
import numpy as np

from disentangle_tf.data import data_to_config
from disentangle_tf.init_arguments import init_arguments


def read_hyper_parameters(model, data, *, batch_size, seed):
  """{name: number, truth value or text} that tells this run from others.

  Args:
    model: a compiled `RepresentationModel`; what this package's losses, priors and
      schedules were made with is there too, as "reconstruction.alpha", and of networks
      the number of weights.
    data: the `GroundTruthData`.
    batch_size, seed: as of `train`.
  """
  rate = np.float32(model.optimizer.learning_rate.numpy())
  return {
    "model": type(model).__name__,
    "latents": model.latents,
    "batch_size": batch_size,
    "seed": seed,
    "learning_rate": float(str(rate)),  # 0.001 as written, not what float32 makes of it
    "data": data.name,
    **_flat(data_to_config(data)["arguments"]),
    **_flat(_arguments(model)),
  }


def _arguments(part):
  arguments = init_arguments(part)
  arguments.pop("name", None)
  return arguments


def _flat(arguments, prefix=""):
  """Numbers and texts of `arguments`, and of what they are made with in turn."""
  found = {}
  for key, value in arguments.items():
    name = f"{prefix}{key}"
    if isinstance(value, bool | int | float | str):
      found[name] = value
    elif isinstance(value, tuple | list):
      found[name] = str(value)
    elif isinstance(value, np.ndarray):
      found[name] = f"array {value.shape}"
    elif isinstance(value, keras.Model):
      found[name] = f"{value.name}, {value.count_params()} weights"
    elif hasattr(value, "get_config"):
      found[name] = type(value).__name__
      if type(value).__module__.startswith("disentangle_tf."):
        found |= _flat(_arguments(value), f"{name}.")
  return found

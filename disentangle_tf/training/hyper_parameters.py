"""Hyper-parameters of a run, read from its model, its parts and its data."""

from __future__ import annotations

import typing
from collections.abc import Mapping

import keras
import numpy as np

from disentangle_tf.data import data_to_config
from disentangle_tf.init_arguments import init_arguments

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.models import RepresentationModel


def read_hyper_parameters(
  model: RepresentationModel, data: GroundTruthData, *, batch_size: int, seed: int
) -> dict[str, typing.Any]:
  """{name: number, truth value or text} that distinguishes this run from others.

  Arguments of this package's losses, priors and schedules are included, such as
  "reconstruction.alpha"; of a network, the number of its weights.

  Args:
    model: a compiled `RepresentationModel`.
    data: the `GroundTruthData`.
    batch_size, seed: as for `train`.
  """
  rate = np.float32(model.optimizer.learning_rate.numpy())
  return {
    "model": type(model).__name__,
    "latents": model.latents,
    "batch_size": batch_size,
    "seed": seed,
    "learning_rate": float(str(rate)),  # 0.001 as written, not rounded to float32
    "data": data.name,
    **_flat(data_to_config(data)["arguments"]),
    **_flat(_arguments(model)),
  }


def _arguments(part: object) -> dict[str, typing.Any]:
  arguments = init_arguments(part)
  arguments.pop("name", None)
  return arguments


def _flat(
  arguments: Mapping[str, typing.Any], prefix: str = ""
) -> dict[str, typing.Any]:
  """Numbers and texts of `arguments`, and of the arguments of their values."""
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

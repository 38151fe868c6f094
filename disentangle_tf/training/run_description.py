"""What a run records about itself: configuration text and hyper-parameters."""

from __future__ import annotations

import dataclasses
import pathlib
import typing
from collections.abc import Callable, Mapping

import keras
import numpy as np

from disentangle_tf.arguments import init_arguments
from disentangle_tf.data import data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import write_text

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


def _first_different_line(before: str, now: str) -> str | None:
  """The alphabetically first line that only one of the texts has, or None."""
  return min(set(before.splitlines()) ^ set(now.splitlines()), default=None)


@dataclasses.dataclass(frozen=True)
class RunDescription:
  """The configuration of a run of `train`, for people and for a later resume.

  Args:
    text: function that returns the configuration as text. It is called when everything
      is built, before anything is written.
    file_name: file of the text in the run's folder; None does not write it.
    changed_setting: function of two texts, that of the run's start and the present one.
      It returns the first setting that has changed and must not, or None.
    hyper_parameters: function that returns {name: number, truth value or text} for
      TensorBoard's HPARAMS page and the export's manifest. By default these are the
      arguments of the model, its parts and the data.
    measurements: function of the measurements of `Scoring` that adds the configured
      options of their metrics. It is called before `text`; by default nothing changes.

  Example:
    >>> from disentangle_tf import training
    >>> description = training.RunDescription(lambda: "beta 4", "notes.txt")
    >>> description.changed_setting("beta 4", "beta 8")
    'beta 4'
  """

  text: Callable[[], str] = str
  file_name: str | None = None
  changed_setting: Callable[[str, str], str | None] = _first_different_line
  hyper_parameters: Callable[[], dict] | None = None
  measurements: Callable[[tuple], list] = list

  def check_unchanged(self, folder: pathlib.Path, text: str) -> None:
    """Raise a `UserError` unless the run in `folder` began with the same settings."""
    if self.file_name is None or not (folder / self.file_name).exists():
      return
    path = folder / self.file_name
    changed = self.changed_setting(path.read_text(), text)
    if changed is not None:
      raise UserError(
        f"{path} differs from this configuration in {changed!r}: resume with the "
        "settings the run began with (only the steps may change), or name another "
        "output_dir"
      )

  def write(self, folder: pathlib.Path, text: str) -> None:
    """Write the text in `folder`."""
    if self.file_name is not None:
      write_text(folder / self.file_name, text)

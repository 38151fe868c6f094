"""The recorded configuration of a run: its settings, data set and model."""

from __future__ import annotations

import ast
import os
import pathlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gin

from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  import keras

  from disentangle_tf.data import GroundTruthData

_ONE_LINE = 1 << 20  # longer than any value
_NAMED_ELSEWHERE = ("%", "@training.")


def used_settings() -> dict[str, bool | int | float | str]:
  """{name: value} of all settings of the configuration that the run has used.

  Names are gin's; values are numbers, truth values or text, as written. A setting that
  refers to a macro is omitted, because the macro itself is listed. The same holds for a
  group of settings such as `training.Watching`, whose settings are listed one by one.
  """
  bound, used = (
    _settings(describe(max_line_length=_ONE_LINE))
    for describe in (gin.config_str, gin.operative_config_str)
  )
  # A setting of all scopes is used under the name of each.
  names = {name.rpartition("/")[2] for name in used} | set(used)
  return {
    name: _plain(value)
    for name, value in bound.items()
    if name in names and not value.startswith(_NAMED_ELSEWHERE)
  }


def _settings(text: str) -> dict[str, str]:
  """{name: value} of the lines NAME = VALUE."""
  lines = [line.partition(" = ") for line in text.splitlines()]
  return {
    name: value for name, equals, value in lines if equals and not name.startswith("#")
  }


def _plain(text: str) -> bool | int | float | str:
  try:
    value = ast.literal_eval(text)
  except (ValueError, SyntaxError):  # a reference such as @losses.MSE()
    return text
  return value if isinstance(value, bool | int | float | str) else text


_LENGTHS = ("training.train.steps", "adversary.manipulate.steps")
_MAY_CHANGE = ("STEPS =", *(f"{name} =" for name in _LENGTHS))  # to train on


def changed_setting(before: str, now: str) -> str | None:
  """The first setting in which two configurations differ; None if they agree.

  Args:
    before, now: output of `gin.operative_config_str`. Comments, line breaks and the
      number of steps are ignored.

  Returns:
    The setting with its value, NAME = VALUE.

  Raises:
    UserError: the macro STEPS changed and a schedule depends on it: no single run
      would give these weights.
  """
  changed = min(_settings_in(before) ^ _settings_in(now), default=None)
  if changed is None:
    _check_schedules(_values(before), _values(now))
  return changed


def _check_schedules(before: Mapping[str, str], now: Mapping[str, str]) -> None:
  began, wanted = before.get("STEPS"), now.get("STEPS")
  followers = sorted(_followers(now, "STEPS") - {"STEPS", *_LENGTHS})
  if began == wanted or not followers:
    return
  length = next((name for name in _LENGTHS if name in now), _LENGTHS[0])
  raise UserError(
    f"{followers[0]} depends on STEPS, which was {began} when the run began: resume "
    f"with STEPS={began} and {length}={wanted}, or name another output_dir"
  )


def _followers(values: Mapping[str, str], macro: str) -> set[str]:
  """Names of all settings that refer to a macro, directly or through other macros."""
  found: set[str] = set()
  for name, value in values.items():
    if name != macro and macro in re.findall(r"%([\w./]+)", value):
      found |= {name} if "." in name else _followers(values, name)
  return found


def _settings_in(text: str) -> set[str]:
  """The lines that must not change; imports follow from the settings."""
  may_change = (*_MAY_CHANGE, "from ", "import ")
  return {line for line in _lines(text) if not line.startswith(may_change)}


def _values(text: str) -> dict[str, str]:
  """{name: value as text}."""
  parts = (line.partition(" = ") for line in _lines(text))
  return {name: value for name, _, value in parts}


def _lines(text: str) -> list[str]:
  """The lines without comments, with gin's continuation lines joined."""
  joined = text.replace("\\\n", " ")
  lines = (" ".join(line.split()) for line in joined.splitlines())
  return [line for line in lines if not line.startswith("#")]


def run_data(folder: str | os.PathLike[str]) -> GroundTruthData:
  """The data set of the run in a folder."""
  return _arguments(folder)["data"]


def run_model(folder: str | os.PathLike[str]) -> keras.Model:
  """The model of the run in a folder, with the weights of its newest checkpoint.

  Afterwards gin holds the configuration of that run.
  """
  from disentangle_tf import training
  from disentangle_tf.training.checkpoints import Checkpoints
  from disentangle_tf.training.model_building import build_model

  arguments = _arguments(folder)
  strategy = training.devices.default_strategy()
  model = build_model(
    arguments["model"], arguments["optimizer"], strategy=strategy, seed=0
  )
  checkpoints = pathlib.Path(folder) / "checkpoints"
  if not Checkpoints(model, checkpoints, keep=1, writes=False).restore():
    raise UserError(
      f"{folder} has no checkpoints, and an export cannot be trained further: let the "
      'study keep checkpoints, studies.Study.keep = "all"'
    )
  return model


def _arguments(folder: str | os.PathLike[str]) -> dict[str, Any]:
  """{argument: value} with which the run called `training.train`."""
  from disentangle_tf import training

  configuration = pathlib.Path(folder) / "config.gin"
  if not configuration.is_file():
    raise UserError(f"{folder} is not a run of bin/train.py: it has no config.gin")
  read = read_configuration([str(configuration)], [])
  return read.arguments_for(
    training.train, "gin/runs/demo_mse.gin", given=("output_dir",)
  )

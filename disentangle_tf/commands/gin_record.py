"""What a run recorded of its configuration."""

import ast
import pathlib
import re

import gin

from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.errors import UserError

_ONE_LINE = 1 << 20  # longer than any value
_NAMED_ELSEWHERE = ("%", "@training.")


def used_settings():
  """{name: value} of all that the configuration sets and the run has used.

  Names are gin's; values are numbers, truth values or text, as written. What refers to
  a macro is left out, because the macro itself is there; so is what refers to a group
  of settings such as `training.Watching`, whose settings are there one by one.
  """
  bound, used = (
    _settings(describe(max_line_length=_ONE_LINE))
    for describe in (gin.config_str, gin.operative_config_str)
  )
  # A setting for all scopes is used under the name of each.
  names = {name.rpartition("/")[2] for name in used} | set(used)
  return {
    name: _plain(value)
    for name, value in bound.items()
    if name in names and not value.startswith(_NAMED_ELSEWHERE)
  }


def _settings(text):
  """{name: value} of the lines NAME = VALUE."""
  lines = [line.partition(" = ") for line in text.splitlines()]
  return {
    name: value for name, equals, value in lines if equals and not name.startswith("#")
  }


def _plain(text):
  try:
    value = ast.literal_eval(text)
  except (ValueError, SyntaxError):  # a reference such as @losses.MSE()
    return text
  return value if isinstance(value, bool | int | float | str) else text


_LENGTHS = ("training.train.steps", "adversary.manipulate.steps")
_MAY_CHANGE = ("STEPS =", *(f"{name} =" for name in _LENGTHS))  # more are welcome


def changed_setting(before, now):
  """The first setting that two configurations do not share; None if they agree.

  Raises a `UserError` if the macro STEPS changed and a schedule follows it: the weights
  would be those of no single run.

  Args:
    before, now: as `gin.operative_config_str` writes them. Comments, where lines are
      broken and the number of steps do not count.

  Returns:
    The setting with its value, NAME = VALUE.
  """
  changed = min(_settings_in(before) ^ _settings_in(now), default=None)
  if changed is None:
    _check_schedules(_values(before), _values(now))
  return changed


def _check_schedules(before, now):
  began, wanted = before.get("STEPS"), now.get("STEPS")
  followers = sorted(_followers(now, "STEPS") - {"STEPS", *_LENGTHS})
  if began == wanted or not followers:
    return
  length = next((name for name in _LENGTHS if name in now), _LENGTHS[0])
  raise UserError(
    f"{followers[0]} follows STEPS, with which the run began as {began}: resume with "
    f"STEPS={began} and {length}={wanted}, or name another output_dir"
  )


def _followers(values, macro):
  """Names of all settings whose values refer to a macro, also by way of others."""
  found = set()
  for name, value in values.items():
    if name != macro and macro in re.findall(r"%([\w./]+)", value):
      found |= {name} if "." in name else _followers(values, name)
  return found


def _settings_in(text):
  """The lines that matter."""
  return {line for line in _lines(text) if not line.startswith(_MAY_CHANGE)}


def _values(text):
  """{name: value as text}."""
  parts = (line.partition(" = ") for line in _lines(text))
  return {name: value for name, _, value in parts}


def _lines(text):
  """The lines without comments, gin's continuation lines joined."""
  joined = text.replace("\\\n", " ")
  lines = (" ".join(line.split()) for line in joined.splitlines())
  return [line for line in lines if not line.startswith("#")]


def run_data(folder):
  """The data set of a run.

  Args:
    folder: of the run.
  """
  return _arguments(folder)["data"]


def run_model(folder):
  """The model of a run, with the weights of its newest checkpoint.

  gin's configuration is that of the run afterwards.

  Args:
    folder: of the run.
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
      f"{folder} has no checkpoints, which are all that can go on learning: have the "
      'study keep them, studies.Study.keep = "all"'
    )
  return model


def _arguments(folder):
  """What the run called `training.train` with: {argument: value}."""
  from disentangle_tf import training

  configuration = pathlib.Path(folder) / "config.gin"
  if not configuration.is_file():
    raise UserError(f"{folder} is no run of bin/train.py: it has no config.gin")
  read = read_configuration([str(configuration)], [])
  return read.arguments_for(
    training.train, "gin/runs/demo_mse.gin", given=("output_dir",)
  )

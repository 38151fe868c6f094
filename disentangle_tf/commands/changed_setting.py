"""Which setting of a gin configuration changed since a run began."""

import re

from disentangle_tf.errors import UserError

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
  changed = min(_settings(before) ^ _settings(now), default=None)
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


def _settings(text):
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

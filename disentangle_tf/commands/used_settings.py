"""Settings of a run as {name: value}, for TensorBoard and the manifest."""

import ast

import gin

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

"""The value of one swept setting, read out of a model's text of settings."""

import re

from disentangle_tf.errors import UserError

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def swept_value(setting, name):
  """The number of `name` in a text such as "BETA=4.0, data.XYSquares.grid_spacing=3".

  Args:
    setting: text of all swept settings of a model.
    name: of one of them, in full or its last part ("grid_spacing").
  """
  pattern = rf"(?:^|[^\w.])(?:[\w.]+\.)?{re.escape(name)}\s*=\s*({_NUMBER})(?![\w.])"
  found = re.search(pattern, setting)
  if not found:
    raise UserError(f"the setting {setting!r} has no number {name}=...")
  return float(found.group(1))

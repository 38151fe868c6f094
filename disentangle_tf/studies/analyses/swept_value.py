"""The value of one swept setting, read out of a model's text of settings."""

import re

from disentangle_tf.errors import UserError

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_TEXT = re.compile(r"\'[^\']*\'|\"[^\"]*\"")
_NAME = re.compile(r"([\w.]+)\s*=\s*")


def swept_value(setting: str, name: str) -> float:
  """The number of `name` in a text such as "BETA=4.0, data.XYSquares.grid_spacing=3".

  Args:
    setting: text of all swept settings of a model.
    name: of one of them, in full, or its last parts ("grid_spacing") if no other
      setting ends alike.
  """
  setting_alone = _TEXT.sub("''", setting)  # quoted text may contain anything
  found = {match.group(1): match.end() for match in _NAME.finditer(setting_alone)}
  alike = [name] if name in found else [n for n in found if n.endswith(f".{name}")]
  if len(alike) > 1:
    raise UserError(
      f"the setting {setting!r} has several {name}: name one of {', '.join(alike)} in "
      "full"
    )
  number = _NUMBER.match(setting_alone, found[alike[0]]) if alike else None
  if not number:
    raise UserError(f"the setting {setting!r} has no number {name}=...")
  return float(number.group())

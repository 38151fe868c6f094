"""What an object was made with, read back from its attributes."""

import inspect
from typing import Any


def init_arguments(instance: object) -> dict[str, Any]:
  """The arguments of `__init__` by name, each read from its attribute.

  Every init argument of this project's classes is also an attribute, which is
  what makes this, and so every `get_config`, a one-liner.
  """
  parameters = inspect.signature(type(instance).__init__).parameters
  starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
  names = [name for name, value in parameters.items() if value.kind not in starred]
  return {name: getattr(instance, name) for name in names if name != "self"}


def show_inherited_arguments(cls: type) -> None:
  """Puts what `cls.__init__` passes on to its parent into its signature.

  Where `__init__` takes `**shared`, its parent's keyword arguments stand there instead,
  and the parent's positional ones for `*args`. Nothing that gin binds may be
  open-ended, or gin would take a misspelt name for a setting.
  """
  if "__init__" not in vars(cls):
    return
  own = inspect.signature(cls.__init__)
  kinds = [parameter.kind for parameter in own.parameters.values()]
  if inspect.Parameter.VAR_KEYWORD not in kinds:
    return
  inherited = inspect.signature(super(cls, cls).__init__).parameters
  merged = {**inherited, **own.parameters}
  closed = [
    parameter
    for parameter in merged.values()
    if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
  ]
  closed.sort(key=lambda parameter: parameter.kind)
  setattr(cls.__init__, "__signature__", own.replace(parameters=closed))  # noqa: B010, functions have no such attribute for type checkers

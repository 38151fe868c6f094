"""The init arguments of an object, read back from its attributes."""

import inspect
from typing import Any


def init_arguments(instance: object) -> dict[str, Any]:
  """Return the arguments of `__init__` by name, each read from its attribute.

  Every init argument of this project's classes is also an attribute.
  """
  parameters = inspect.signature(type(instance).__init__).parameters
  starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
  names = [name for name, value in parameters.items() if value.kind not in starred]
  return {name: getattr(instance, name) for name in names if name != "self"}


def show_inherited_arguments(cls: type) -> None:
  """Add the arguments that `cls.__init__` passes to its parent to its signature.

  The parent's keyword arguments replace `**shared`, and its positional ones replace
  `*args`. Otherwise gin would accept a misspelt name as a setting.
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
  init: Any = cls.__init__  # for type checkers, functions have no `__signature__`
  init.__signature__ = own.replace(parameters=closed)

"""What an object was made with, read back from its attributes."""

import inspect


def init_arguments(instance):
  """The arguments of `__init__` by name, each read from its attribute.

  Every init argument of this project's classes is also an attribute, which is
  what makes this, and so every `get_config`, a one-liner.
  """
  parameters = inspect.signature(type(instance).__init__).parameters
  starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
  names = [name for name, value in parameters.items() if value.kind not in starred]
  return {name: getattr(instance, name) for name in names if name != "self"}

"""The private names of gin; no other module uses them.

They are those of gin-config 0.5. The tests of this module state what each must be.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gin import config

Settings = dict[tuple[str, str], dict[str, Any]]  # {(scope, selector): {argument: ...}}


def bound() -> Settings:
  """{(scope, selector): {argument: value}} of all files and bindings.

  This is gin's own dictionary: a change of it changes the configuration.
  """
  return config._CONFIG


def operative() -> Settings:
  """{(scope, selector): {argument: value}} that gin has passed to functions."""
  return config._OPERATIVE_CONFIG


def imports() -> set[str]:
  """The import statements of all parsed files, as text."""
  return {statement.format() for statement in config._IMPORTS}


def selector_of(function: Callable) -> str | None:
  """gin's name of a function or class, with or without its wrapper; None if unknown."""
  known = _known(function)
  return known.selector if known else None


def without_gin(function: Callable) -> Callable:
  """The function inside gin's wrapper, if there is one; other decorators stay."""
  known = _known(function)
  return known.wrapped if known else function


def _known(function: Callable) -> Any:
  return config._inverse_lookup(function, allow_decorators=True)


def selectors_matching(name: str) -> list[str]:
  """Full names of the functions and classes that gin may mean by `name`."""
  return config._REGISTRY.matching_selectors(name)


def is_reference_to_call(value: object) -> bool:
  """Whether a bound value is a reference such as @data.XYSquares()."""
  return isinstance(value, config.ConfigurableReference) and bool(value.evaluate)


def build_once(reference: Any) -> None:
  """Let all users of a reference such as @data.XYSquares() share one object."""
  made = functools.cache(reference.scoped_configurable_fn)
  reference._scoped_configurable_fn = made

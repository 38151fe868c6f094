"""What gin does not tell in public: the only module that uses its private names.

They are those of gin-config 0.5; the tests of this module say what each must be.
"""

import functools

from gin import config


def bound():
  """{(scope, selector): {argument: value}} of all that files and bindings say.

  gin's own dictionary: what is changed in it, gin has changed.
  """
  return config._CONFIG


def handed_over():
  """{(scope, selector): {argument: value}} of what gin has called functions with."""
  return config._OPERATIVE_CONFIG


def imports():
  """The import statements of all files that were parsed, as text."""
  return {statement.format() for statement in config._IMPORTS}


def selector_of(function):
  """The name under which gin knows a function or class, with or without its wrapper."""
  known = _known(function)
  return known.selector if known else None


def without_gin(function):
  """The function inside gin's wrapper, if there is one; other decorators stay."""
  known = _known(function)
  return known.wrapped if known else function


def _known(function):
  return config._inverse_lookup(function, allow_decorators=True)


def selectors_matching(name):
  """Full names of the functions and classes that gin may mean by `name`."""
  return config._REGISTRY.matching_selectors(name)


def build_once(reference):
  """Has all that shares a gin reference such as @data.XYSquares() get one object."""
  made = functools.cache(reference.scoped_configurable_fn)
  reference._scoped_configurable_fn = made

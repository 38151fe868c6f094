"""The settings of the command line, and whether anything read them."""

import inspect

import gin

from disentangle_tf.commands.gin_internals import bound, handed_over, selector_of
from disentangle_tf.errors import UserError


class CommandLineBindings:
  """What --gin_bindings set: a setting that nothing reads is a mistake, and is told.

  gin records what it hands to the functions that it calls; what a command takes out of
  the configuration by itself is recorded here. Settings in files may lie idle, since
  files are made to be combined.
  """

  def __init__(self):
    self._texts = {}  # of each (scope, selector, argument)
    self._read = set()

  def parse(self, preamble, text):
    """Adds the binding `text` to gin's configuration, after the imports `preamble`."""
    # gin does not tell what a text binds, so it is read into an empty configuration.
    before = dict(bound())
    bound().clear()
    try:
      gin.parse_config(preamble + text)
      for (scope, selector), values in bound().items():
        self._texts |= {(scope, selector, name): text for name in values}
    finally:
      added = dict(bound())
      bound().clear()
      bound().update(before)
      for key, values in added.items():
        bound().setdefault(key, {}).update(values)

  def arguments_for(self, function, example, *, given=(), optional=()):
    """What the configuration says for `function`: {argument: value}, all of it built.

    Args:
      function: what a command is about to call.
      example: a gin file that says it.
      given: names of arguments that the command passes itself.
      optional: names of those that need not be set, though they have no default.
    """
    found = gin.get_bindings(function) if selector_of(function) else {}
    missing = [
      name
      for name, parameter in inspect.signature(function).parameters.items()
      if parameter.default is parameter.empty
      and name not in {*found, *given, *optional}
    ]
    if missing:
      raise UserError(
        f"{function.__name__} needs a value for {', '.join(missing)}: add a file such "
        f"as --gin_file {example}"
      )
    arguments = {name: value for name, value in found.items() if name not in given}
    self._read |= {("", selector_of(function), name) for name in arguments}
    return arguments

  def options_of(self, function):
    """Like `arguments_for`, of a function that is configured but not called yet.

    Only what is bound, in the scope that a reference such as @wide/metrics.mig names.
    It is recorded as gin records what it hands over.

    Returns:
      ({argument: value} that files set, {argument: value} of the command line).
    """
    selector = selector_of(function)
    if selector is None:
      return {}, {}
    nonlocals = inspect.getclosurevars(function).nonlocals
    scope = nonlocals.get("scope_components", [])  # of gin's wrapper for scopes
    with gin.config_scope(scope or None):
      options = gin.get_bindings(selector)
      unresolved = gin.get_bindings(selector, resolve_references=False)
    keys = {(_innermost(scope, selector, name), selector, name) for name in options}
    self._read |= keys
    used = handed_over().setdefault(("/".join(scope), selector), {})
    used.update(unresolved)
    said = {name for _, _, name in keys & set(self._texts)}
    return (
      {name: value for name, value in options.items() if name not in said},
      {name: value for name, value in options.items() if name in said},
    )

  def said_of(self, function):
    """Names of the arguments of `function` that the command line sets, in any scope."""
    selector = selector_of(function)
    return {name for _, of, name in self._texts if of == selector}

  def check_read(self):
    """Raises a `UserError` that names the first setting that nothing read."""
    for (scope, selector, argument), text in self._texts.items():
      if (scope, selector, argument) in self._read:
        continue
      if not _handed_over(scope, selector, argument):
        raise UserError(f"--gin_bindings {text}: {_reason(selector)}")


def _handed_over(scope, selector, argument):
  """Whether gin called something with the value of this very binding."""
  for (used_scope, used), arguments in handed_over().items():
    if used == selector and argument in arguments:
      words = used_scope.split("/") if used_scope else []
      if _innermost(words, selector, argument) == scope:
        return True
  return False


def _innermost(scope, selector, argument):
  """The scope, of those around the words `scope`, whose binding counts; or None."""
  around = ["/".join(scope[:depth]) for depth in range(len(scope) + 1)]
  binding = [s for s in around if argument in bound().get((s, selector), {})]
  return binding[-1] if binding else None


def _reason(selector):
  called = any(used == selector for _, used in handed_over())
  if selector == "gin.macro" or not called:
    return "nothing here reads this setting, so it would change nothing; leave it out"
  return (
    "another setting, or the command itself, takes the place of this one; leave it out"
  )

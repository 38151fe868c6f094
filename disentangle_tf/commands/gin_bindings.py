"""The settings of the command line, and whether anything read them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any

import gin

from disentangle_tf.commands.gin_internals import bound, operative, selector_of
from disentangle_tf.errors import UserError

Binding = tuple[str | None, str, str]  # (scope, selector, argument)


class CommandLineBindings:
  """The settings of --gin_bindings; one that nothing reads is reported as a mistake.

  gin records what it passes to the functions that it calls. What a command takes from
  the configuration itself is recorded here. Settings of files may be unused, because
  files are made to be combined.
  """

  def __init__(self) -> None:
    self._texts: dict[Binding, str] = {}
    self._read: set[Binding] = set()

  def parse(self, preamble: str, text: str) -> None:
    """Add the binding `text` to gin's configuration, after the imports `preamble`."""
    # gin does not say what a text binds, so it is parsed into an empty configuration.
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

  def arguments_for(
    self,
    function: Callable,
    example: str,
    *,
    given: Collection[str] = (),
    optional: Collection[str] = (),
  ) -> dict[str, Any]:
    """The configured arguments of `function`: {argument: value}, all of them built.

    Args:
      function: function that a command is about to call.
      example: a gin file that sets its arguments.
      given: names of arguments that the command passes itself.
      optional: names of arguments without a default that need not be set.
    """
    selector = selector_of(function)
    found = gin.get_bindings(function) if selector else {}
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
    if selector:
      self._read |= {("", selector, name) for name in arguments}
    return arguments

  def options_of(self, function: Callable) -> tuple[dict[str, Any], dict[str, Any]]:
    """The configured arguments of a function that is not called yet.

    Unlike `arguments_for` this returns bound arguments only, in the scope that a
    reference such as @wide/metrics.mig names. They are recorded as if gin had passed
    them.

    Returns:
      ({argument: value} set by files, {argument: value} set by the command line).
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
    operative().setdefault(("/".join(scope), selector), {}).update(unresolved)
    overridden = {name for _, _, name in keys & set(self._texts)}
    return (
      {name: value for name, value in options.items() if name not in overridden},
      {name: value for name, value in options.items() if name in overridden},
    )

  def arguments_set(self, function: Callable) -> set[str]:
    """Names of the arguments of `function` that the command line sets, in any scope."""
    selector = selector_of(function)
    return {name for _, of, name in self._texts if of == selector}

  def check_read(self) -> None:
    """Raise a `UserError` that names the first setting that nothing read."""
    for binding, text in self._texts.items():
      if binding not in self._read and not _was_passed(*binding):
        raise UserError(f"--gin_bindings {text}: {_reason(binding[1])}")

  def checked_text(self) -> str:
    """The configuration that was used, as text; every setting must have been read."""
    self.check_read()
    return gin.operative_config_str()


def _was_passed(scope: str | None, selector: str, argument: str) -> bool:
  """Whether gin called something with the value of this binding."""
  for (used_scope, used), arguments in operative().items():
    if used == selector and argument in arguments:
      words = used_scope.split("/") if used_scope else []
      if _innermost(words, selector, argument) == scope:
        return True
  return False


def _innermost(scope: Sequence[str], selector: str, argument: str) -> str | None:
  """The innermost scope around the words `scope` that binds the argument, or None."""
  around = ["/".join(scope[:depth]) for depth in range(len(scope) + 1)]
  binding = [s for s in around if argument in bound().get((s, selector), {})]
  return binding[-1] if binding else None


def _reason(selector: str) -> str:
  called = any(used == selector for _, used in operative())
  if selector == "gin.macro" or not called:
    return "nothing here reads this setting, so it has no effect; leave it out"
  return "another setting or the command itself overrides this setting; leave it out"

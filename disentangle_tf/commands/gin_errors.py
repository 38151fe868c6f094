"""Errors of gin, and of what gin configures, as one line of plain text."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable

from absl import flags

import disentangle_tf
from disentangle_tf.commands.gin_files import files_that_set
from disentangle_tf.commands.gin_internals import selectors_matching
from disentangle_tf.errors import UserError, suggest

_CALL_NOTE = "\n  In call to configurable"
_SWITCH = re.compile(r"(?<![\w.])(overwrite|resume|trusted)=True\b")
PACKAGES = tuple(name for name in disentangle_tf.__all__ if name.islower())
_LIBRARIES = ("keras", "tensorflow", "tensorflow_probability", "tf_keras")


def explain(error: BaseException) -> str | None:
  """Explain a user's mistake in one line; None if `error` is not one.

  Mistakes are: a `UserError`; a call that lacks arguments; a library's class that
  refuses its settings; an activation or other name that Keras does not know. Any other
  error of a configured function is a bug in that function, and needs its traceback.
  """
  text, *calls = str(error).split(_CALL_NOTE)
  if isinstance(error, UserError | flags.Error):
    return _with_flags(_one_line(text))
  if not calls or not isinstance(error, TypeError | ValueError):
    return None
  configured = _selector(calls[0].split("'")[1])
  raised_in = _packages_below_gin(error)
  unknown_name = raised_in[-1:] == ["keras"] and "Could not interpret" in text
  if raised_in and raised_in[0] not in _LIBRARIES and not unknown_name:
    return None
  missing = re.search(r"missing \d+ required .*arguments?: (.*)", text)
  if missing and not raised_in:
    return (
      f"{configured} needs a value for {missing.group(1).splitlines()[0]}: set it in a "
      f"gin file or with --gin_bindings {configured}.NAME=VALUE"
    )
  return f"{configured} does not accept its settings: {_one_line(text)}"


def _with_flags(message: str) -> str:
  """Write the arguments that an error of the library names as flags."""
  return _SWITCH.sub(r"--\1", message).replace("(data=...)", "(--data ...)")


def _selector(name: str) -> str:
  """The name that a binding uses for the function or class that gin calls `name`."""
  known = selectors_matching(name)
  return known[0].removeprefix("disentangle_tf.") if len(known) == 1 else name


def _packages_below_gin(error: BaseException) -> list[str]:
  """Packages of the calls below the last one that gin made, the outermost first."""
  packages, trace = [], error.__traceback__
  while trace is not None:
    packages.append(trace.tb_frame.f_globals.get("__name__", "").split(".")[0])
    trace = trace.tb_next
  of_gin = [place for place, package in enumerate(packages) if package == "gin"]
  return packages[of_gin[-1] + 1 :] if of_gin else packages


def explain_parsing(error: BaseException) -> str:
  """Explain in one line why a configuration cannot be read."""
  text = str(error)
  explained = _unknown_name(text) or _missing_value(text)
  if explained:
    return explained
  if isinstance(error, SyntaxError) or "malformed node" in text:
    return f"cannot be read{_place(text)}: write NAME = VALUE, with quotes around text"
  return _one_line(text)


def _unknown_name(text: str) -> str | None:
  """Explain an error of gin about a name that does not exist, else None."""
  unknown = re.search(
    r"Configurable '(.+)' doesn't have a parameter named '(.+)'", text
  )
  if unknown:
    configurable, name = unknown.groups()
    known = _parameters(resolve(configurable))
    return f"{configurable} has no setting {name!r}{suggest(name, known)}{_place(text)}"
  unknown = re.search(r"Couldn't resolve selector (\S+);.*has no attribute (\w+)", text)
  if unknown:
    selector, name = unknown.groups()
    parent = resolve(selector.rpartition("." + name)[0])
    return f"there is no {selector}{suggest(name, _public(parent))}{_place(text)}"
  unknown = re.search(r"No configurable matching reference '@(.+?)(\(\))?'", text)
  if unknown:
    name = unknown.group(1)
    return f"@{name} is not known{_place(text)}: check its spelling and its import"
  unknown = re.search(
    r"No configurable matching '(.+?)'|'(.+?)' was not provided by an import", text
  )
  if unknown:
    name = unknown.group(1) or unknown.group(2)
    if name in PACKAGES:
      return f"add the line: from disentangle_tf import {name}{_place(text)}"
    return f"there is no {name!r} to configure{suggest(name, PACKAGES)}{_place(text)}"
  return None


def _missing_value(text: str) -> str | None:
  """Explain an error of gin about a macro or setting without a value, else None."""
  unknown = re.search(r"No bindings specified for '(.+)/gin.macro'", text)
  if unknown:
    return f"%{unknown.group(1)} is used but never set: {_how_to_set(unknown.group(1))}"
  missing = re.search(r"(\S+?)(/[\w.]*macro\.value)? set to `%gin.REQUIRED`", text)
  if missing:
    name = missing.group(1)
    return f"{name} must be set{_required_by(name)}: {_how_to_set(name)}"
  return None


def _how_to_set(name: str) -> str:
  files = files_that_set(name)
  example = f", such as {files[0]}" if files else ""
  return f"add --gin_bindings {name}=VALUE, or a gin file that sets it{example}"


def _required_by(name: str) -> str:
  files = files_that_set(name, "%gin.REQUIRED")
  return f" because {files[0]} requires it" if files else ""


def _place(text: str) -> str:
  place = re.search(r"In (file|bindings string)( \"[^\"]+\")?,? line (\d+)", text)
  return f" ({_one_line(place.group(0))})" if place and place.group(2) else ""


def _one_line(text: str) -> str:
  return "; ".join(line.strip() for line in text.splitlines() if line.strip())


def resolve(selector: str) -> object:
  """The object that a gin file calls `selector`, or None."""
  head, *attributes = selector.split(".")
  for module in (f"disentangle_tf.{head}", head):
    try:
      found = importlib.import_module(module)
    except ImportError:
      continue
    for attribute in attributes:
      found = getattr(found, attribute, None)
    return found
  return None


def _parameters(configurable: object) -> Iterable[str]:
  return inspect.signature(configurable).parameters if callable(configurable) else ()


def _public(module: object) -> Iterable[str]:
  return getattr(module, "__all__", None) or dir(module)

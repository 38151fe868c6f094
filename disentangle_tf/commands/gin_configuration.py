"""Reading gin files and bindings."""

from __future__ import annotations

import contextlib
import inspect
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import gin

from disentangle_tf.commands.gin_bindings import CommandLineBindings
from disentangle_tf.commands.gin_errors import PACKAGES, explain_parsing, resolve
from disentangle_tf.commands.gin_files import find_gin_file, gin_home, gin_text, shipped
from disentangle_tf.commands.gin_internals import (
  build_once,
  imports,
  is_reference_to_call,
)
from disentangle_tf.errors import UserError, suggest


def read_configuration(
  files: Sequence[str],
  bindings: Sequence[str],
  *,
  implied: Mapping[str, str] | None = None,
) -> CommandLineBindings:
  """Parse gin files and then bindings; every error is a `UserError` of one line.

  Args:
    files: gin files; later ones win.
    bindings: of the command line; they override the files.
    implied: {setting: macro} of settings that take the value of a macro, if the macro
      is set and they are not.
  """
  gin.clear_config(clear_constants=True)
  if "protocols." in gin_text(files) + "".join(bindings):
    _name_protocols()
  with _no_search_messages():
    for file in files:
      with _explained(f"{file}: "):
        gin.parse_config_file(find_gin_file(file))
  of_files = _imports_of_files()
  _check_names(bindings, implied=implied or {})
  command_line = CommandLineBindings()
  for binding in bindings:
    with _explained(f"--gin_bindings {binding}: "):
      command_line.parse(_preamble(binding) + of_files, binding)
  for setting, macro in (implied or {}).items():
    if _is_set(f"{macro}/gin.macro.value") and not _is_set(setting):
      text = f"{setting} = %{macro}"
      gin.parse_config(_preamble(text) + text)
  with _explained(""):
    gin.finalize()
  _build_once("DATA")
  _build_once("LABELLED")
  return command_line


def read_for(
  function: str,
  *,
  files: Sequence[str],
  macros: Mapping[str, str],
  bindings: Sequence[str] = (),
  data: str | None = None,
) -> CommandLineBindings:
  """Read the configuration of a command that takes a data set.

  Args:
    function: the function that the command calls, as gin files name it.
    files: gin files.
    bindings: gin bindings that override the files.
    data: name or gin file of a data set, which overrides both.
    macros: {argument of `function`: macro that sets it, unless it is set}.
  """
  implied = {f"{function}.{argument}": macro for argument, macro in macros.items()}
  if not data:
    return read_configuration(files, bindings, implied=implied)
  demanded = f"{function}.data = %DATA"
  for binding in bindings:
    if re.match(rf"\s*({re.escape(function)}\.data|DATA)\s*=", binding):
      raise UserError(f"--data {data} and --gin_bindings {binding}: keep one")
  files = [*files, find_data(data)]
  return read_configuration(files, [demanded, *bindings], implied=implied)


def _build_once(macro: str) -> None:
  """Let all users of %`macro` share one object; gin would build one for each."""
  setting = f"{macro}/gin.macro.value"
  value = gin.query_parameter(setting) if _is_set(setting) else None
  if is_reference_to_call(value):
    build_once(value)


def _is_set(setting: str) -> bool:
  try:
    gin.query_parameter(setting)
  except ValueError:
    return False
  return True


def _preamble(text: str) -> str:
  """Imports of what a binding can name: Keras, TensorFlow, this project's packages.

  Packages that it does not name are left out, because some take a second to import.
  """
  named = [package for package in PACKAGES if re.search(rf"\b{package}\.", text)]
  lines = [
    "from __gin__ import dynamic_registration",
    "import keras",
    "import tensorflow as tf",
    *(f"from disentangle_tf import {package}" for package in named),
  ]
  return "".join(f"{line}\n" for line in lines)


def _imports_of_files() -> str:
  """Imports of the gin files, so that a binding can name a user's own module."""
  lines = sorted(line for line in imports() if "__gin__" not in line)
  return "".join(f"{line}\n" for line in lines)


def _name_protocols() -> None:
  """Define constants such as %protocols.LOCATELLO for gin files."""
  from disentangle_tf.scoring import protocols

  for name, value in vars(protocols).items():
    if name.isupper():
      gin.constant(f"protocols.{name}", value)


def configured(function: Callable, example: str) -> Callable:
  """`function` with its configured arguments; `example` is a file that sets them."""
  try:
    return gin.get_configurable(function)
  except ValueError as error:
    raise UserError(
      f"this configuration has no settings of {function.__name__}: add a file such as "
      f"--gin_file {example}"
    ) from error


def find_data(name: str) -> str:
  """The gin file of a data set: a shipped one called `name`, or the user's own."""
  if name in shipped("data"):
    return f"gin/data/{name}.gin"
  if name.endswith(".gin"):
    return find_gin_file(name)
  raise UserError(
    f"there is no data set {name!r}{suggest(name, shipped('data'))} "
    f"(gin/data has {', '.join(shipped('data'))}; a file of your own ends in .gin)"
  )


gin.add_config_file_search_path(str(gin_home()))  # for include "gin/..."


@contextlib.contextmanager
def _explained(place: str) -> Iterator[None]:
  """Turn every error into a `UserError`, since a file's imports may raise anything."""
  try:
    yield
  except UserError:
    raise
  except Exception as error:
    raise UserError(place + explain_parsing(error)) from error


@contextlib.contextmanager
def _no_search_messages() -> Iterator[None]:
  """Silence gin, which logs an error for each folder without the file it looks for."""
  logging.disable(logging.ERROR)
  try:
    yield
  finally:
    logging.disable(logging.NOTSET)


def _check_names(bindings: Iterable[str], *, implied: Mapping[str, str]) -> None:
  """Raise a `UserError` for misspelt names that gin accepts."""
  text = gin.config_str() + "\n".join(bindings)
  used = {*re.findall(r"%(\w+)", text), *implied.values()}
  for binding in bindings:
    macro = re.match(r"\s*(\w+)\s*=", binding)
    if macro and macro.group(1) not in used:
      name = macro.group(1)
      raise UserError(
        f"--gin_bindings {binding}: this configuration does not use "
        f"{name}{suggest(name, used)}"
      )
    scope = re.match(r"\s*(\w+)/", binding)
    if scope and f"@{scope.group(1)}/" not in text:
      raise UserError(
        f"--gin_bindings {binding}: this configuration does not use the scope "
        f"{scope.group(1)!r}"
      )
    setting = re.match(r"\s*(?:\w+/)*([\w.]+)\.(\w+)\s*=", binding)
    if setting:
      _check_setting(*setting.groups())


def _check_setting(selector: str, name: str) -> None:
  """Check a setting's name; gin takes any for a function that has **kwargs."""
  configurable = resolve(selector)
  if not callable(configurable):
    return
  parameters = inspect.signature(configurable).parameters
  open_ended = [p for p in parameters.values() if p.kind is p.VAR_KEYWORD]
  if open_ended and name not in parameters:
    raise UserError(f"{selector} has no setting {name!r}{suggest(name, parameters)}")
